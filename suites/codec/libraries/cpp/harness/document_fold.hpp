// The suite's checksums of documents: values of a library that know no shape, whose members are asked
// for by name, as JSON libraries have them.
#pragma once

#include "fold.hpp"

namespace harness::fold {

/// Folds by what `Reads` says of the library's `Reads::Value`, all of it static:
///
///     T number<T>(const Value&)              an integer or a float
///     … text(const Value&)                   anything with size() and units by index
///     const Value& at(const Value&, name)    a member
///     std::size_t size(const Value&)         of a list
///     std::size_t count(const Value&)        of a map
///     … list(const Value&)                   a range of values
///     … entries(const Value&)                a range of keys and values
///     … key(its key)                         a text
template <class Reads>
struct Documents {
    using Value = typename Reads::Value;

    template <class Number>
    static Sum number(const Value& m, const char* name) {
        return of(Reads::template number<Number>(Reads::at(m, name)));
    }
    static Sum text(const Value& m, const char* name) {
        return of_string(Reads::text(Reads::at(m, name)));
    }
    static Sum integers(const Value& numbers) {
        Terms terms;
        for (const Value& one : Reads::list(numbers))
            terms.add(of(Reads::template number<std::int32_t>(one)));
        return terms.sum();
    }
    static Sum texts(const Value& strings) {
        Terms terms;
        for (const Value& one : Reads::list(strings))
            terms.add(of_string(Reads::text(one)));
        return terms.sum();
    }

    /// Sum of a value by its native type: which shape it has is not in the value.
    template <class Native>
    static Sum value(const Value& m) {
        return shaped(m, static_cast<const Native*>(nullptr));
    }

private:
    static Sum shaped(const Value& m, const T1*) {
        return weighted(number<std::int8_t>(m, "c"), number<std::uint8_t>(m, "uc"),
                        number<std::int16_t>(m, "i16"), number<std::uint16_t>(m, "u16"),
                        number<std::int32_t>(m, "i32"), number<std::uint32_t>(m, "u32"),
                        number<std::int64_t>(m, "i64"), number<std::uint64_t>(m, "u64"),
                        number<double>(m, "f"), number<double>(m, "d"));
    }
    template <class String>
    static Sum shaped(const Value& m, const T2<String>*) {
        return weighted(text(m, "s1"), text(m, "s2"), text(m, "s3"), text(m, "s4"),
                        text(m, "s5"), text(m, "s6"), text(m, "s7"), text(m, "s8"));
    }
    static Sum shaped(const Value& m, const T3*) {
        return 101u * of(Reads::size(m)) + integers(m);
    }
    template <class String>
    static Sum shaped(const Value& m, const T4<String>*) {
        return 101u * of(Reads::size(m)) + texts(m);
    }
    template <class String>
    static Sum shaped(const Value& m, const T5<String>*) {
        Sum sum = 101u * of(Reads::count(m));
        for (const auto& [key, numbers] : Reads::entries(m))
            sum += 3u * of_string(Reads::key(key)) + 5u * integers(numbers);
        return sum;
    }
    static Sum shaped(const Value& m, const Telemetry*) {
        const Value& points = Reads::at(m, "points");
        Sum sum = 101u * of(Reads::size(points));
        for (const Value& point : Reads::list(points))
            sum += 3u * number<std::int64_t>(point, "time") + 5u * number<double>(point, "value")
                 + 7u * number<std::int32_t>(point, "quality");
        return sum;
    }
    template <class String>
    static Sum shaped(const Value& m, const Chat<String>*) {
        const Value& author = Reads::at(m, "author");
        const Value& mentions = Reads::at(m, "mentions");
        const Value& strokes = Reads::at(m, "strokes");
        Sum sum = 3u * text(m, "id") + 5u * number<std::int64_t>(m, "sent");
        sum += 7u * text(m, "board");
        sum += 9u * number<std::uint32_t>(author, "id") + 11u * text(author, "name");
        sum += 13u * number<bool>(author, "active") + 15u * text(m, "text");
        sum += 101u * of(Reads::size(mentions) + Reads::size(strokes)) + texts(mentions);
        for (const Value& stroke : Reads::list(strokes)) {
            sum += 17u * text(stroke, "color") + 19u * number<double>(stroke, "width");
            for (const Value& point : Reads::list(Reads::at(stroke, "points")))
                sum += 21u * number<std::int32_t>(point, "x")
                     + 23u * number<std::int32_t>(point, "y");
        }
        return sum;
    }
};

}  // namespace harness::fold
