// Cap'n Proto with capnp's code: messages are built from native values, laid out as one array of
// words, and read where they lie.

#include "fill.hpp"
#include "folds.hpp"
#include "large.hpp"
#include "natives.hpp"
#include "versions.hpp"
#include "words.hpp"

#include <harness/worker.hpp>

namespace {

template <class T>
struct struct_of;
template <>
struct struct_of<harness::T1> : std::type_identity<T1> {};
template <>
struct struct_of<harness::T2<std::string>> : std::type_identity<T2> {};
template <>
struct struct_of<harness::T3> : std::type_identity<T3> {};
template <>
struct struct_of<harness::T4<std::string>> : std::type_identity<T4> {};
template <>
struct struct_of<harness::T5<std::string>> : std::type_identity<T5> {};
template <>
struct struct_of<harness::Telemetry> : std::type_identity<Telemetry> {};
template <>
struct struct_of<harness::Chat<std::string>> : std::type_identity<Chat> {};

template <class T>
struct Codec {
    using Native = T;
    using Struct = typename struct_of<T>::type;
    static constexpr auto lifetime = harness::Lifetime::borrowed;

    struct Message {
        explicit Message(const Native& value) : builder(kFirstSegment) {
            fill(builder.initRoot<Struct>(), value);
        }
        capnp::MallocMessageBuilder builder;
    };

    struct View {
        explicit View(harness::Bytes bytes, capnp::ReaderOptions options = {})
            : reader(words_of(bytes), options), root(reader.getRoot<Struct>()) {}
        capnp::FlatArrayMessageReader reader;
        typename Struct::Reader root;
    };

    Message to_message(const Native& value) const { return Message(value); }
    Words encode(Message& message) const { return {capnp::messageToFlatArray(message.builder)}; }
    View decode(harness::Bytes bytes) const { return View(bytes); }
    Native from_message(const View& view) const {
        Native value;
        take(value, view.root);
        return value;
    }
    harness::fold::Sum fold(const View& view) const { return folds::value(view.root); }
    harness::fold::Sum fold(Message& message) const {
        return folds::value(message.builder.template getRoot<Struct>().asReader());
    }
};

struct ManyRecords : Codec<harness::Telemetry> {
    View decode(harness::Bytes bytes) const { return View(bytes, once(bytes)); }
};

harness::Large large() {
    return {
        .blob = harness::whole<BlobCodec>(),
        .records = harness::whole<ManyRecords>(),
        .writer = records_to,
        .reader = records_from,
    };
}

std::string version() {
    return std::to_string(CAPNP_VERSION_MAJOR) + "." + std::to_string(CAPNP_VERSION_MINOR) + "."
         + std::to_string(CAPNP_VERSION_MICRO);
}

}  // namespace

int main() {
    harness::Worker worker;
    worker.evolving(versions::of);
    worker.large(large());
    return harness::run<Codec>(worker, {.library = "capnproto",
                                        .version = version(),
                                        .format = "capnproto",
                                        .strings = "utf-8"});
}
