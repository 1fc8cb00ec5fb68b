// cereal's portable binary archive: structs without names, as one function for each tells it.

#include <cereal/archives/portable_binary.hpp>
#include <cereal/types/common.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/optional.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>
#include <cereal/version.hpp>
#include <harness/fields.hpp>
#include <harness/worker.hpp>

#include <sstream>

// The one function that the library asks for, in the structs' namespace.
namespace harness {

template <class Archive, record Struct>
void serialize(Archive& archive, Struct& value) {
    fields(value, [&](const char*, auto& field) { archive(field); });
}

}  // namespace harness

namespace {

template <class T>
struct Codec {
    using Native = T;
    static constexpr auto lifetime = harness::Lifetime::owned;

    std::string encode(const Native& value) const {
        std::ostringstream stream;
        cereal::PortableBinaryOutputArchive archive(stream);
        archive(value);
        return std::move(stream).str();
    }
    Native decode(harness::Bytes bytes) const {
        std::istringstream stream(
            std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
        cereal::PortableBinaryInputArchive archive(stream);
        Native value;
        archive(value);
        return value;
    }
};

/// Each record is an archive of its own, as each message is: one begins with the order of its bytes.
harness::Large large() {
    using Point = harness::TelemetryPoint;
    return {
        .blob = harness::whole<Codec<harness::Blob>>(),
        .records = harness::whole<Codec<harness::Telemetry>>(),
        .writer =
            [](std::ostream& file) {
                return [&file](const Point& record) {
                    cereal::PortableBinaryOutputArchive archive(file);
                    archive(record);
                };
            },
        .reader =
            [](std::istream& file) {
                return [&file](Point& record) {
                    if (file.peek() == std::istream::traits_type::eof())
                        return false;
                    cereal::PortableBinaryInputArchive archive(file);
                    archive(record);
                    return true;
                };
            },
    };
}

std::string version() {
    return std::to_string(CEREAL_VERSION_MAJOR) + "." + std::to_string(CEREAL_VERSION_MINOR) + "."
         + std::to_string(CEREAL_VERSION_PATCH);
}

}  // namespace

int main() {
    harness::Worker worker;
    worker.evolving(harness::version_of<Codec>);
    worker.large(large());
    return harness::run<Codec>(worker, {.library = "cereal",
                                        .version = version(),
                                        .format = "cereal",
                                        .strings = "utf-8"});
}
