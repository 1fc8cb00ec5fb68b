// Data of one version of the record read by code of another: the scenario `evolution`. A contender
// gives `Worker::evolving` a codec for each version by its name; see README.md of the suite.
#pragma once

#include "codec.hpp"
#include "records.hpp"
#include "texts.hpp"

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace harness {

/// A reading with the fields of any version; what a version lacks, or was not there, is empty.
struct Reading {
    std::optional<std::int64_t> sensor, count;
    std::optional<int> level;  ///< the number of a value: none, low, high, critical
    std::optional<std::string> name, title, note, unit, zone;
    std::optional<std::string> words;  ///< the count where it is a string
};

using Encoding = std::vector<std::uint8_t>;

struct VersionCodec {
    std::function<Encoding(const Reading&)> encode;
    std::function<Reading(Bytes)> decode;
    std::function<Encoding(Bytes)> again;  ///< writes what it has read
};

/// The codec of a version: `base`, or the name of a change.
using Versions = std::function<VersionCodec(const std::string& version)>;

/// Returns `use.operator()<Type>()` with the type that a namespace or a class has for a version.
#define HARNESS_VERSIONS(space, version, use)                                                      \
    do {                                                                                           \
        if ((version) == "base") return use.template operator()<typename space::Base>();           \
        if ((version) == "added") return use.template operator()<typename space::Added>();         \
        if ((version) == "removed") return use.template operator()<typename space::Removed>();     \
        if ((version) == "reordered") return use.template operator()<typename space::Reordered>(); \
        if ((version) == "renamed") return use.template operator()<typename space::Renamed>();     \
        if ((version) == "widened") return use.template operator()<typename space::Widened>();     \
        if ((version) == "retyped") return use.template operator()<typename space::Retyped>();     \
        if ((version) == "enumeration") return use.template operator()<typename space::Enumeration>();\
        if ((version) == "required") return use.template operator()<typename space::Required>();   \
        throw std::runtime_error("no version is called " + std::string(version));                  \
    } while (false)

// ---- Of libraries that write and read structs -------------------------------------------------

namespace evolving {

inline void convert(const std::string& from, std::string& to) { to = from; }
inline void convert(const std::string& from, std::u16string& to) { to = utf16_of(from); }
inline std::string text(const std::string& from) { return from; }
inline std::string text(const std::u16string& from) { return utf8_of(from); }

/// The field of a reading that has the value of a record's field.
template <class Field>
auto& member(auto& reading, std::string_view name) {
    if constexpr (std::is_enum_v<Field>)
        return reading.level;
    else if constexpr (std::is_integral_v<Field>)
        return name == "sensor" ? reading.sensor : reading.count;
    else
        return name == "count" ? reading.words
             : name == "name"  ? reading.name
             : name == "title" ? reading.title
             : name == "note"  ? reading.note
             : name == "unit"  ? reading.unit
                               : reading.zone;
}

template <class Field>
void fill(Field& field, const Reading& reading, std::string_view name) {
    if constexpr (optional<Field>) {
        if (member<typename Field::value_type>(reading, name))
            fill(field.emplace(), reading, name);
    } else if constexpr (std::is_enum_v<Field> || std::is_integral_v<Field>) {
        field = static_cast<Field>(member<Field>(reading, name).value());
    } else {
        convert(member<Field>(reading, name).value(), field);
    }
}

template <class Field>
void tell(Reading& reading, std::string_view name, const Field& field) {
    if constexpr (optional<Field>) {
        if (field)
            tell(reading, name, *field);
    } else if constexpr (std::is_enum_v<Field>) {
        reading.level = static_cast<int>(field);
    } else if constexpr (std::is_integral_v<Field>) {
        member<Field>(reading, name) = field;
    } else {
        member<Field>(reading, name) = text(field);
    }
}

template <class Record>
Record record_of(const Reading& reading) {
    Record record;
    fields(record, [&](const char* name, auto& field) { fill(field, reading, name); });
    return record;
}

template <class Record>
Reading reading_of(const Record& record) {
    Reading reading;
    fields(record, [&](const char* name, const auto& field) { tell(reading, name, field); });
    return reading;
}

template <class Codec>
Encoding written(Codec& codec, auto&& message) {
    auto&& encoded = codec.encode(message);
    const Bytes bytes = bytes_of(encoded);
    return {bytes.begin(), bytes.end()};
}

template <class Codec>
typename Codec::Native native(Codec& codec, auto& decoded) {
    if constexpr (decodes_messages<Codec>)
        return codec.from_message(decoded);
    else
        return decoded;
}

/// A message of the library's stays one where the library can write it.
template <class Codec>
Encoding again(Codec& codec, auto& decoded) {
    if constexpr (requires { codec.encode(decoded); })
        return written(codec, decoded);
    else
        return written(codec, encodable(codec, native(codec, decoded)));
}

}  // namespace evolving

/// The versions of a contender whose `Codec` takes any struct with fields.
template <template <class> class Codec, class String = std::string>
VersionCodec version_of(const std::string& version) {
    const auto made = []<class Record>() {
        return VersionCodec{
            .encode =
                [](const Reading& reading) {
                    Codec<Record> codec;
                    const auto record = evolving::record_of<Record>(reading);
                    return evolving::written(codec, encodable(codec, record));
                },
            .decode =
                [](Bytes bytes) {
                    Codec<Record> codec;
                    auto&& decoded = codec.decode(bytes);
                    return evolving::reading_of(evolving::native(codec, decoded));
                },
            .again =
                [](Bytes bytes) {
                    Codec<Record> codec;
                    auto&& decoded = codec.decode(bytes);
                    return evolving::again(codec, decoded);
                },
        };
    };
    using All = Records<String>;
    HARNESS_VERSIONS(All, version, made);
}

}  // namespace harness
