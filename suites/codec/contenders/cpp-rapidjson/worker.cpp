// JSON by way of RapidJSON: written with a Writer, parsed into a Document that is then read.

#include "folds.hpp"
#include "natives.hpp"
#include "write.hpp"

#include <harness/worker.hpp>

namespace {

// Without it strings are taken over as they are, UTF-8 or not.
constexpr unsigned kParseFlags = rapidjson::kParseValidateEncodingFlag;

struct Text {
    rapidjson::StringBuffer buffer;
    const char* data() const { return buffer.GetString(); }
    std::size_t size() const { return buffer.GetSize(); }
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
        return folds::value(document, folds::shape<Native>());
    }
};

}  // namespace

int main() {
    harness::Worker worker;
    return harness::run<Codec>(worker, {.library = "rapidjson",
                                        .version = RAPIDJSON_VERSION_STRING,
                                        .format = "json",
                                        .strings = "utf-8"});
}
