// What a contender plugs in: for each shape a default-constructible type
//
//     struct Codec {
//         using Native = …;                             of shapes.hpp
//         static constexpr harness::Lifetime lifetime = harness::Lifetime::owned;
//         Message to_message(const Native&);            where the library builds messages
//         Encoded encode(const Message& or Native&);    anything with data() and size()
//         Message decode(harness::Bytes);               or Native; throws what it cannot read
//         Native from_message(const Message&);          where decode gives a message; an overload
//                                                       for Message&& may take its parts over
//         harness::fold::Sum fold(const Message&);      where there is a message
//     };
//
// What is kept (`reuse`, `arena`) is the codec's member and returned by reference; what is fresh is
// returned by value. Values need not be movable: they are made where they stay.
#pragma once

#include "fold.hpp"
#include "subject.hpp"

#include <type_traits>
#include <utility>

namespace harness {

/// Time that what was decoded lasts.
enum class Lifetime {
    owned,     ///< until its owner lets it go
    kept,      ///< until the next one is decoded
    borrowed,  ///< as long as its bytes: a view, which is folded and never becomes a native value
};

template <class Codec>
concept BuildsMessages = requires(Codec& codec, const typename Codec::Native& value) {
    codec.to_message(value);
};

template <class Codec>
using DecodedBy = decltype(std::declval<Codec&>().decode(Bytes{}));

template <class Codec>
inline constexpr bool decodes_messages =
    !std::is_same_v<std::remove_cvref_t<DecodedBy<Codec>>, typename Codec::Native>;

template <class Codec>
inline constexpr bool borrows = Codec::lifetime == Lifetime::borrowed;

/// The names of README.md's operations that a codec has.
template <class Codec>
std::vector<std::string_view> operations_of() {
    std::vector<std::string_view> names;
    if (BuildsMessages<Codec>)
        names.push_back("to_message");
    names.insert(names.end(), {"encode", "decode"});
    if (decodes_messages<Codec> && !borrows<Codec>)
        names.push_back("from_message");
    names.insert(names.end(), {"round_trip", "round_trip_unused"});
    return names;
}

template <class Encoded>
Bytes bytes_of(const Encoded& encoded) {
    return {reinterpret_cast<const std::uint8_t*>(encoded.data()), encoded.size()};
}

/// Argument of encode: the message of a native value, or that value.
template <class Codec>
decltype(auto) encodable(Codec& codec, const typename Codec::Native& value) {
    if constexpr (BuildsMessages<Codec>)
        return codec.to_message(value);
    else
        return (value);
}

/// Result of a round trip: a native value, or the view that stands for one.
template <class Codec, class Value>
decltype(auto) finished(Codec& codec, Value& decoded) {
    if constexpr (!decodes_messages<Codec> || borrows<Codec>)
        return (decoded);
    else if constexpr (Codec::lifetime == Lifetime::owned)
        return codec.from_message(std::move(decoded));
    else
        return codec.from_message(decoded);
}

template <class Codec, class Value>
fold::Sum folded(Codec& codec, Value& value) {
    if constexpr (std::is_same_v<std::remove_const_t<Value>, typename Codec::Native>)
        return fold::value(value);
    else
        return codec.fold(value);
}

using wirelab::keep;

inline void keep(Bytes bytes) { asm volatile("" : : "r"(bytes.data()) : "memory"); }

}  // namespace harness
