// JSON by way of nlohmann::json values: assigned from structs, dumped, parsed, got as structs.

#include <harness/base64.hpp>
#include <harness/document_fold.hpp>
#include <harness/worker.hpp>
#include <nlohmann/json.hpp>

#include <type_traits>

// The suite's structs as the library knows them: its own macros, in the structs' namespace.
namespace harness {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(T1, c, uc, i16, u16, i32, u32, i64, u64, f, d)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(T2<std::string>, s1, s2, s3, s4, s5, s6, s7, s8)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TelemetryPoint, time, value, quality)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Telemetry, points)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Author<std::string>, id, name, active)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Position, x, y)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Stroke<std::string>, color, width, points)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Chat<std::string>, id, sent, board, author, text, mentions,
                                   strokes)

// Its macros know no field that may be left out, so the record of `evolution` has what they would
// write.
void to_json(nlohmann::json& json, const versioned auto& record) {
    fields(record, [&](const char* name, const auto& field) {
        if constexpr (!optional<decltype(field)>)
            json[name] = field;
        else if (field)
            json[name] = *field;
    });
}

void from_json(const nlohmann::json& json, versioned auto& record) {
    fields(record, [&](const char* name, auto& field) {
        if constexpr (!optional<decltype(field)>)
            json.at(name).get_to(field);
        else if (json.contains(name))
            json.at(name).get_to(field.emplace());
    });
}

}  // namespace harness

namespace {

using nlohmann::json;

/// Way in which the library's values are read, by name as their user reads them.
struct Reads {
    using Value = json;

    template <class Number>
    static auto number(const json& m) {
        if constexpr (std::is_integral_v<Number> && !std::is_same_v<Number, bool>
                      && !std::is_same_v<Number, std::uint64_t>)
            return m.get<std::int64_t>();
        else
            return m.get<Number>();
    }
    static const std::string& text(const json& m) { return m.get_ref<const std::string&>(); }
    static const std::string& key(const std::string& name) { return name; }
    static const json& at(const json& m, const char* name) { return m.at(name); }
    static std::size_t size(const json& m) { return m.size(); }
    static std::size_t count(const json& m) { return m.size(); }
    static const json& list(const json& m) { return m; }
    static const json::object_t& entries(const json& m) {
        return m.get_ref<const json::object_t&>();
    }
};

template <class T>
struct Codec {
    using Native = T;
    static constexpr auto lifetime = harness::Lifetime::owned;

    json to_message(const Native& value) const { return value; }
    std::string encode(const json& message) const { return message.dump(); }
    json decode(harness::Bytes bytes) const { return json::parse(bytes.begin(), bytes.end()); }
    Native from_message(const json& message) const { return message.get<Native>(); }
    harness::fold::Sum fold(const json& message) const {
        return harness::fold::Documents<Reads>::value<Native>(message);
    }
};

/// JSON has no bytes: they are text in base64. Records are JSON Lines.
harness::Large large() {
    using Point = harness::TelemetryPoint;
    return {
        .blob = harness::whole<harness::InBase64<Codec<std::string>, Reads>>(),
        .records = harness::whole<Codec<harness::Telemetry>>(),
        .writer =
            [](std::ostream& file) {
                return [&file](const Point& record) { file << json(record) << '\n'; };
            },
        .reader =
            [](std::istream& file) {
                return [&file, line = std::string()](Point& record) mutable {
                    if (!std::getline(file, line))
                        return false;
                    json::parse(line).get_to(record);
                    return true;
                };
            },
    };
}

std::string version() {
    return std::to_string(NLOHMANN_JSON_VERSION_MAJOR) + "."
         + std::to_string(NLOHMANN_JSON_VERSION_MINOR) + "."
         + std::to_string(NLOHMANN_JSON_VERSION_PATCH);
}

}  // namespace

int main() {
    harness::Worker worker;
    worker.evolving(harness::version_of<Codec>);
    worker.large(large());
    return harness::run<Codec>(worker, {.library = "nlohmann-json",
                                        .version = version(),
                                        .format = "json",
                                        .strings = "utf-8"});
}
