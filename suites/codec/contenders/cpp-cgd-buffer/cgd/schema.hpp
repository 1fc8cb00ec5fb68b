// Which types the CGD format knows, and what each needs at least.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

static_assert(std::endian::native == std::endian::little,
              "values are copied as they lie in memory, and CGD is little-endian");

namespace cgd {

/// A struct is serialised field by field once its fields are named here:
///     template <> struct cgd::schema<Point> {
///         static auto of(auto& p) { return std::tie(p.x, p.y); }
///     };
template <class T>
struct schema;

template <class T>
concept primitive = std::is_arithmetic_v<T> || std::is_enum_v<T>;

template <class T>
concept record = requires(T& value) { schema<T>::of(value); };

/// Counts of elements, and of code units with their terminator.
using count = std::int32_t;

/// In the place of a count: a string that is not there.
inline constexpr count null = -1;

template <class T>
using fields_of = decltype(schema<T>::of(std::declval<T&>()));

/// `is_fixed`: every value takes `least` bytes. `least`: no value takes fewer.
template <class T>
struct layout;

template <primitive T>
struct layout<T> {
    static constexpr bool is_fixed = true;
    static constexpr std::size_t least = sizeof(T);
};

template <>
struct layout<std::u16string> {
    static constexpr bool is_fixed = false;
    static constexpr std::size_t least = sizeof(count) + sizeof(char16_t);
};

template <>
struct layout<std::optional<std::u16string>> {
    static constexpr bool is_fixed = false;
    static constexpr std::size_t least = sizeof(count);
};

template <class T>
struct layout<std::vector<T>> {
    static constexpr bool is_fixed = false;
    static constexpr std::size_t least = sizeof(count);
};

template <class Key, class T>
struct layout<std::map<Key, T>> {
    static constexpr bool is_fixed = false;
    static constexpr std::size_t least = sizeof(count);
};

template <class Fields>
struct layout_of_fields;

template <class... Field>
struct layout_of_fields<std::tuple<Field&...>> {
    static constexpr bool is_fixed = (layout<Field>::is_fixed && ...);
    static constexpr std::size_t least = (layout<Field>::least + ...);
};

template <record T>
struct layout<T> : layout_of_fields<fields_of<T>> {};

/// True where an array of T lies in memory as it does in the format.
template <class T>
inline constexpr bool is_plain = primitive<T> && !std::is_same_v<T, bool>;

}  // namespace cgd
