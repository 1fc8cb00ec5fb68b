// The checksums of the suite's README.md: of bytes and of native values. A contender whose
// messages are types of its own folds those through their accessors, with of_string and Terms.
#pragma once

#include "shapes.hpp"

#include <cstddef>
#include <type_traits>

namespace harness::fold {

using Sum = std::uint32_t;

/// A number as it enters a sum: an integer with its low 32 bits, a float truncated as an i64.
template <class Number>
    requires std::is_arithmetic_v<Number>
constexpr Sum of(Number number) {
    if constexpr (std::is_floating_point_v<Number>)
        return static_cast<Sum>(static_cast<std::int64_t>(number));
    else
        return static_cast<Sum>(number);
}

/// S(s): of anything with size() and units by index.
template <class String>
Sum of_string(const String& text) {
    const std::size_t size = text.size();
    if (size == 0)
        return 0;
    using Unit = std::make_unsigned_t<std::remove_cvref_t<decltype(text[0])>>;
    const auto first = static_cast<Unit>(text[0]);
    const auto last = static_cast<Unit>(text[size - 1]);
    return static_cast<Sum>(size) + 31u * first + 17u * last;
}

/// Adds terms up with the weights 1, 3, 5, …
class Terms {
public:
    void add(Sum term) {
        sum_ += weight_ * term;
        weight_ += 2;
    }
    Sum sum() const { return sum_; }

private:
    Sum sum_ = 0, weight_ = 1;
};

template <class... Term>
Sum weighted(Term... term) {
    Terms terms;
    (terms.add(term), ...);
    return terms.sum();
}

inline Sum weighted_all(const std::vector<std::int32_t>& numbers) {
    Terms terms;
    for (const std::int32_t number : numbers)
        terms.add(of(number));
    return terms.sum();
}

template <class String>
Sum weighted_strings(const std::vector<String>& texts) {
    Terms terms;
    for (const String& text : texts)
        terms.add(of_string(text));
    return terms.sum();
}

inline Sum of_bytes(const std::uint8_t* bytes, std::size_t size) {
    if (size == 0)
        return 0;
    return 7u * static_cast<Sum>(size) + bytes[0] + 3u * bytes[size / 2] + 5u * bytes[size - 1];
}

// ---- Native values --------------------------------------------------------------------------

inline Sum value(const T1& v) {
    return weighted(of(v.c), of(v.uc), of(v.i16), of(v.u16), of(v.i32), of(v.u32), of(v.i64),
                    of(v.u64), of(v.f), of(v.d));
}

template <class String>
Sum value(const T2<String>& v) {
    return weighted(of_string(v.s1), of_string(v.s2), of_string(v.s3), of_string(v.s4),
                    of_string(v.s5), of_string(v.s6), of_string(v.s7), of_string(v.s8));
}

inline Sum value(const T3& v) { return 101u * static_cast<Sum>(v.size()) + weighted_all(v); }

template <class String>
Sum value(const T4<String>& v) {
    return 101u * static_cast<Sum>(v.size()) + weighted_strings(v);
}

template <class String>
Sum value(const T5<String>& v) {
    Sum sum = 101u * static_cast<Sum>(v.size());
    for (const auto& [key, numbers] : v)
        sum += 3u * of_string(key) + 5u * weighted_all(numbers);
    return sum;
}

inline Sum value(const Telemetry& v) {
    Sum sum = 101u * static_cast<Sum>(v.points.size());
    for (const TelemetryPoint& point : v.points)
        sum += 3u * of(point.time) + 5u * of(point.value) + 7u * of(point.quality);
    return sum;
}

template <class String>
Sum value(const Chat<String>& v) {
    Sum sum = 3u * of_string(v.id) + 5u * of(v.sent) + 7u * of_string(v.board);
    sum += 9u * of(v.author.id) + 11u * of_string(v.author.name) + 13u * of(v.author.active);
    sum += 15u * of_string(v.text);
    sum += 101u * static_cast<Sum>(v.mentions.size() + v.strokes.size());
    sum += weighted_strings(v.mentions);
    for (const Stroke<String>& stroke : v.strokes) {
        sum += 17u * of_string(stroke.color) + 19u * of(stroke.width);
        for (const Position& point : stroke.points)
            sum += 21u * of(point.x) + 23u * of(point.y);
    }
    return sum;
}

}  // namespace harness::fold
