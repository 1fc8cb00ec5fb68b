// The record of `evolution`: written through flatc's object API, verified, read by its accessors.
#pragma once

#include "evolution_generated.h"

#include <harness/evolution.hpp>
#include <harness/failure.hpp>

#include <type_traits>

namespace versions {

namespace schema = codec::evolution;

template <class Object>
void fill(Object& object, const harness::Reading& reading) {
    object.sensor = static_cast<std::int32_t>(*reading.sensor);
    object.level = static_cast<decltype(object.level)>(*reading.level);
    if constexpr (std::is_same_v<decltype(object.count), std::string>)
        object.count = *reading.words;
    else
        object.count = static_cast<decltype(object.count)>(*reading.count);
    if constexpr (requires { object.name; })
        object.name = *reading.name;
    if constexpr (requires { object.title; })
        object.title = *reading.title;
    if constexpr (requires { object.note; })
        object.note = reading.note.value_or("");
    if constexpr (requires { object.unit; })
        object.unit = reading.unit.value_or("");
    if constexpr (requires { object.zone; })
        object.zone = reading.zone.value_or("");
}

inline std::optional<std::string> text(const flatbuffers::String* string) {
    return string ? std::optional(string->str()) : std::nullopt;
}

template <class Table>
harness::Reading take(const Table& table) {
    harness::Reading reading;
    reading.sensor = table.sensor();
    reading.level = static_cast<int>(table.level());
    if constexpr (std::is_pointer_v<decltype(table.count())>)
        reading.words = text(table.count());
    else
        reading.count = table.count();
    if constexpr (requires { table.name(); })
        reading.name = text(table.name());
    if constexpr (requires { table.title(); })
        reading.title = text(table.title());
    if constexpr (requires { table.note(); })
        reading.note = text(table.note());
    if constexpr (requires { table.unit(); })
        reading.unit = text(table.unit());
    if constexpr (requires { table.zone(); })
        reading.zone = text(table.zone());
    return reading;
}

template <class Table>
harness::Encoding written(const typename Table::NativeTableType& object) {
    flatbuffers::FlatBufferBuilder builder;
    builder.Finish(Table::Pack(builder, &object));
    return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
}

template <class Table>
const Table& verified(harness::Bytes bytes) {
    flatbuffers::Verifier verifier(bytes.data(), bytes.size());
    if (!verifier.VerifyBuffer<Table>(nullptr))
        throw harness::Rejected("VerifyBuffer gave false");
    return *flatbuffers::GetRoot<Table>(bytes.data());
}

template <class Table>
harness::Encoding encode(const harness::Reading& reading) {
    typename Table::NativeTableType object;
    fill(object, reading);
    return written<Table>(object);
}

template <class Table>
harness::Reading decode(harness::Bytes bytes) {
    return take(verified<Table>(bytes));
}

template <class Table>
harness::Encoding again(harness::Bytes bytes) {
    typename Table::NativeTableType object;
    verified<Table>(bytes).UnPackTo(&object);
    return written<Table>(object);
}

inline harness::VersionCodec of(const std::string& version) {
    const auto codec = []<class Table>() {
        return harness::VersionCodec{encode<Table>, decode<Table>, again<Table>};
    };
    HARNESS_VERSIONS(schema, version, codec);
}

}  // namespace versions
