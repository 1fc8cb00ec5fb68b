// MessagePack by way of msgpack-cxx: packed into its sbuffer, unpacked and converted in one go.

#include "natives.hpp"

#include <harness/worker.hpp>

#include <memory>

namespace {

constexpr std::size_t kChunk = 1 << 16;

/// Strings stay where they are until they are converted, which is at once: no copy in between.
bool refers(msgpack::type::object_type, std::size_t, void*) { return true; }

/// No element takes less than a byte, so no sound input has more of them than bytes. Without
/// limits the library allocates whatever a count says.
msgpack::unpack_limit limit_of(std::size_t bytes) {
    return msgpack::unpack_limit(bytes, bytes, bytes, bytes, bytes);
}

template <class T>
struct Codec {
    using Native = T;
    static constexpr auto lifetime = harness::Lifetime::owned;

    msgpack::sbuffer encode(const Native& value) const {
        msgpack::sbuffer buffer;
        msgpack::pack(buffer, value);
        return buffer;
    }
    Native decode(harness::Bytes bytes) const {
        const auto data = reinterpret_cast<const char*>(bytes.data());
        return msgpack::unpack(data, bytes.size(), refers, nullptr, limit_of(bytes.size()))
            ->as<Native>();
    }
};

/// Values follow each other: each says where it ends, which the library's unpacker sees.
harness::Large large() {
    using Point = harness::TelemetryPoint;
    return {
        .blob = harness::whole<Codec<harness::Blob>>(),
        .records = harness::whole<Codec<harness::Telemetry>>(),
        .writer =
            [](std::ostream& file) {
                return [&file](const Point& record) { msgpack::pack(file, record); };
            },
        .reader =
            [](std::istream& file) {
                const auto unpacker = std::make_shared<msgpack::unpacker>();
                return [unpacker, &file](Point& record) {
                    msgpack::object_handle found;
                    while (!unpacker->next(found)) {
                        unpacker->reserve_buffer(kChunk);
                        file.read(unpacker->buffer(), kChunk);
                        if (file.gcount() == 0)
                            return false;
                        unpacker->buffer_consumed(static_cast<std::size_t>(file.gcount()));
                    }
                    found->convert(record);
                    return true;
                };
            },
    };
}

}  // namespace

int main() {
    harness::Worker worker;
    worker.evolving(harness::version_of<Codec>);
    worker.large(large());
    return harness::run<Codec>(worker, {.library = "msgpack-cxx",
                                        .version = MSGPACK_VERSION,
                                        .format = "msgpack",
                                        .strings = "utf-8"});
}
