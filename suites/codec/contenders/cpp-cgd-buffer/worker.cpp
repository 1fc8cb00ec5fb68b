// Messages in the CGD format: values appended to a buffer and extracted again.

#include "cgd/buffer.hpp"
#include "cgd/view.hpp"
#include "schemas.hpp"
#include "versions.hpp"

#include <harness/worker.hpp>

#ifdef CODEC_ORIGINAL
#include "original.hpp"
#endif

template <class T>
struct Codec {
    using Native = T;
    static constexpr harness::Lifetime lifetime = harness::Lifetime::owned;

#ifdef CODEC_ORIGINAL
    auto encode(const Native& value) const { return original::encoded(value); }
    Native decode(harness::Bytes bytes) const {
        return original::decoded<Native>(bytes.data(), bytes.size());
    }
#else
    cgd::buffer encode(const Native& value) const {
        cgd::buffer buffer;
        buffer.append(value);
        return buffer;
    }
    Native decode(harness::Bytes bytes) const { return cgd::view(bytes).extract<Native>(); }
#endif
};

#ifndef CODEC_ORIGINAL
/// Records follow each other with nothing between: all of them have the same size.
static harness::Large large() {
    using Point = harness::TelemetryPoint;
    return {
        .blob = harness::whole<Codec<harness::Blob>>(),
        .records = harness::whole<Codec<harness::Telemetry>>(),
        .writer =
            [](std::ostream& file) {
                return [&file](const Point& record) {
                    cgd::buffer buffer;
                    buffer.append(record);
                    file.write(reinterpret_cast<const char*>(buffer.data()),
                               static_cast<std::streamsize>(buffer.size()));
                };
            },
        .reader =
            [](std::istream& file) {
                return [&file](Point& record) {
                    std::uint8_t bytes[cgd::layout<Point>::least];
                    file.read(reinterpret_cast<char*>(bytes), sizeof bytes);
                    if (file.gcount() == 0)
                        return false;
                    const auto count = static_cast<std::size_t>(file.gcount());
                    record = cgd::view({bytes, count}).extract<Point>();
                    return true;
                };
            },
    };
}
#endif

int main() {
#ifdef CODEC_ORIGINAL
    const harness::About about{.library = "CGDK.buffer",
                               .version = "headers " CODEC_ORIGINAL,
                               .format = "cgd",
                               .strings = "utf-16"};
#else
    const harness::About about{
        .library = "cgd", .version = "0.1.0", .format = "cgd", .strings = "utf-16"};
#endif
    harness::Worker worker;
#ifndef CODEC_ORIGINAL
    worker.evolving(harness::version_of<Codec, std::u16string>);
    worker.large(large());
#endif
    return harness::run<Codec, std::u16string>(worker, about);
}
