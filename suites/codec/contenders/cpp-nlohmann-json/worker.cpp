// JSON by way of nlohmann::json values: assigned from structs, dumped, parsed, got as structs.

#include "folds.hpp"
#include "natives.hpp"

#include <harness/worker.hpp>

namespace {

using nlohmann::json;

template <class T>
struct Codec {
    using Native = T;
    static constexpr auto lifetime = harness::Lifetime::owned;

    json to_message(const Native& value) const { return value; }
    std::string encode(const json& message) const { return message.dump(); }
    json decode(harness::Bytes bytes) const { return json::parse(bytes.begin(), bytes.end()); }
    Native from_message(const json& message) const { return message.get<Native>(); }
    harness::fold::Sum fold(const json& message) const {
        return folds::value(message, folds::shape<Native>());
    }
};

std::string version() {
    return std::to_string(NLOHMANN_JSON_VERSION_MAJOR) + "."
         + std::to_string(NLOHMANN_JSON_VERSION_MINOR) + "."
         + std::to_string(NLOHMANN_JSON_VERSION_PATCH);
}

}  // namespace

int main() {
    harness::Worker worker;
    return harness::run<Codec>(worker, {.library = "nlohmann-json",
                                        .version = version(),
                                        .format = "json",
                                        .strings = "utf-8"});
}
