// FlatBuffers with flatc's code: built from native values, read where they lie. Whether a buffer is
// verified before it is read is the tuning `verify`.

#include "build.hpp"
#include "folds.hpp"
#include "large.hpp"
#include "natives.hpp"
#include "versions.hpp"

#include <harness/worker.hpp>

namespace {

template <class T>
struct table_of;
template <>
struct table_of<harness::T1> : std::type_identity<codec::T1> {};
template <>
struct table_of<harness::T2<std::string>> : std::type_identity<codec::T2> {};
template <>
struct table_of<harness::T3> : std::type_identity<codec::T3> {};
template <>
struct table_of<harness::T4<std::string>> : std::type_identity<codec::T4> {};
template <>
struct table_of<harness::T5<std::string>> : std::type_identity<codec::T5> {};
template <>
struct table_of<harness::Telemetry> : std::type_identity<codec::Telemetry> {};
template <>
struct table_of<harness::Chat<std::string>> : std::type_identity<codec::Chat> {};

template <class T>
struct Trusting {
    using Native = T;
    using Table = typename table_of<T>::type;
    static constexpr auto lifetime = harness::Lifetime::borrowed;

    flatbuffers::DetachedBuffer encode(const Native& value) const {
        FlatBufferBuilder builder;
        builder.Finish(build(builder, value));
        return builder.Release();
    }
    const Table* decode(harness::Bytes bytes) const {
        return flatbuffers::GetRoot<Table>(bytes.data());
    }
    Native from_message(const Table* table) const {
        Native value;
        take(value, *table);
        return value;
    }
    harness::fold::Sum fold(const Table* table) const { return folds::value(*table); }
};

template <class T>
struct Verified : Trusting<T> {
    using typename Trusting<T>::Table;

    const Table* decode(harness::Bytes bytes) const {
        flatbuffers::Verifier verifier(bytes.data(), bytes.size());
        if (!verifier.VerifyBuffer<Table>(nullptr))
            throw harness::Rejected("VerifyBuffer gave false");
        return Trusting<T>::decode(bytes);
    }
};

harness::Large large() {
    return {
        .blob = harness::whole<BlobCodec>(),
        .records = harness::whole<Verified<harness::Telemetry>>(),
        .writer = records_to,
        .reader = records_from,
    };
}

std::string version() {
    return std::to_string(FLATBUFFERS_VERSION_MAJOR) + "."
         + std::to_string(FLATBUFFERS_VERSION_MINOR) + "."
         + std::to_string(FLATBUFFERS_VERSION_REVISION);
}

}  // namespace

int main() {
    harness::Worker worker;
    worker.evolving(versions::of);
    worker.large(large());
    const bool trusts = worker.tuning("verify", "yes") == "no";
    const harness::About about{.library = "flatbuffers",
                               .version = version(),
                               .format = "flatbuffers",
                               .strings = "utf-8",
                               .trusts_input = trusts};
    return trusts ? harness::run<Trusting>(worker, about) : harness::run<Verified>(worker, about);
}
