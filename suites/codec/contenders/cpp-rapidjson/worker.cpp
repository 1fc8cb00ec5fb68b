// JSON by way of RapidJSON: written with a Writer, parsed into a Document that is then read.

#include "natives.hpp"

#include <harness/base64.hpp>
#include <harness/document_fold.hpp>
#include <harness/worker.hpp>

#include <array>
#include <istream>
#include <memory>
#include <ostream>
#include <string_view>

namespace {

// Without it strings are taken over as they are, UTF-8 or not.
constexpr unsigned kParseFlags = rapidjson::kParseValidateEncodingFlag;

void parse(rapidjson::Document& document, harness::Bytes bytes) {
    document.Parse<kParseFlags>(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (document.HasParseError())
        throw harness::Rejected(rapidjson::GetParseError_En(document.GetParseError()));
}

struct Text {
    rapidjson::StringBuffer buffer;
    const char* data() const { return buffer.GetString(); }
    std::size_t size() const { return buffer.GetSize(); }
};

/// Way in which the library's values are read, by name as their user reads them.
struct Reads {
    using Value = rapidjson::Value;

    template <class Number>
    static Number number(const Value& m) {
        return ::number<Number>(m);
    }
    static std::string_view text(const Value& m) { return {m.GetString(), m.GetStringLength()}; }
    static std::string_view key(const Value& name) { return text(name); }
    static const Value& at(const Value& m, const char* name) { return m[name]; }
    static std::size_t size(const Value& m) { return m.GetArray().Size(); }
    static std::size_t count(const Value& m) { return m.MemberCount(); }
    static Value::ConstArray list(const Value& m) { return m.GetArray(); }
    static Value::ConstObject entries(const Value& m) { return m.GetObject(); }
};

template <class T>
struct Codec {
    using Native = T;
    static constexpr auto lifetime = harness::Lifetime::owned;

    Text encode(const Native& value) const {
        Text text;
        Writer writer(text.buffer);
        write(writer, value);
        return text;
    }
    /// A document that is handed on is written as it is.
    Text encode(const rapidjson::Document& document) const {
        Text text;
        Writer writer(text.buffer);
        document.Accept(writer);
        return text;
    }
    rapidjson::Document decode(harness::Bytes bytes) const {
        rapidjson::Document document;
        parse(document, bytes);
        return document;
    }
    Native from_message(const rapidjson::Document& document) const {
        Native value;
        take(value, document);
        return value;
    }
    harness::fold::Sum fold(const rapidjson::Document& document) const {
        return harness::fold::Documents<Reads>::value<Native>(document);
    }
};

/// Reads records that are JSON Lines, into room of its own: a Document without any takes 64 KiB anew.
class Lines {
public:
    explicit Lines(std::istream& file) : file_(file) {}
    bool read(harness::TelemetryPoint& record) {
        if (!std::getline(file_, line_))
            return false;
        pool_.Clear();
        rapidjson::Document document(&pool_);
        parse(document, harness::bytes_of(line_));
        take(record, document);
        return true;
    }

private:
    std::istream& file_;
    std::string line_;
    std::array<char, 4096> room_{};
    rapidjson::MemoryPoolAllocator<> pool_{room_.data(), room_.size()};
};

/// JSON has no bytes: they are text in base64.
harness::Large large() {
    using Point = harness::TelemetryPoint;
    return {
        .blob = harness::whole<harness::InBase64<Codec<std::string>, Reads>>(),
        .records = harness::whole<Codec<harness::Telemetry>>(),
        .writer =
            [](std::ostream& file) {
                return [&file](const Point& record) {
                    const Text text = Codec<Point>().encode(record);
                    file.write(text.data(), static_cast<std::streamsize>(text.size())).put('\n');
                };
            },
        .reader =
            [](std::istream& file) {
                const auto lines = std::make_shared<Lines>(file);
                return [lines](Point& record) { return lines->read(record); };
            },
    };
}

}  // namespace

int main() {
    harness::Worker worker;
    worker.evolving(harness::version_of<Codec>);
    worker.large(large());
    return harness::run<Codec>(worker, {.library = "rapidjson",
                                        .version = RAPIDJSON_VERSION_STRING,
                                        .format = "json",
                                        .strings = "utf-8"});
}
