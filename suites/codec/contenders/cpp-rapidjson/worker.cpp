// JSON by way of RapidJSON: written with a Writer, parsed into a Document that is then read.

#include "natives.hpp"

#include <harness/document_fold.hpp>
#include <harness/worker.hpp>

#include <string_view>

namespace {

// Without it strings are taken over as they are, UTF-8 or not.
constexpr unsigned kParseFlags = rapidjson::kParseValidateEncodingFlag;

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
        document.Parse<kParseFlags>(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        if (document.HasParseError())
            throw harness::Rejected(rapidjson::GetParseError_En(document.GetParseError()));
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

}  // namespace

int main() {
    harness::Worker worker;
    worker.evolving(harness::version_of<Codec>);
    return harness::run<Codec>(worker, {.library = "rapidjson",
                                        .version = RAPIDJSON_VERSION_STRING,
                                        .format = "json",
                                        .strings = "utf-8"});
}
