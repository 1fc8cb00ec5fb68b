// The suite's checksums of nlohmann::json values, by name as their user reads them.
#pragma once

#include <harness/fold.hpp>
#include <nlohmann/json.hpp>

namespace folds {

using harness::fold::of;
using harness::fold::Sum;
using nlohmann::json;

/// Which shape a value has is not in the value.
template <class Native>
struct shape {};

inline Sum of_integer(const json& number) { return of(number.get<std::int64_t>()); }
inline Sum of_unsigned(const json& number) { return of(number.get<std::uint64_t>()); }
inline Sum of_float(const json& number) { return of(number.get<double>()); }
inline Sum of_text(const json& text) {
    return harness::fold::of_string(text.get_ref<const std::string&>());
}

inline Sum of_integers(const json& numbers) {
    harness::fold::Terms terms;
    for (const json& number : numbers)
        terms.add(of_integer(number));
    return terms.sum();
}

inline Sum of_texts(const json& texts) {
    harness::fold::Terms terms;
    for (const json& text : texts)
        terms.add(of_text(text));
    return terms.sum();
}

inline Sum value(const json& m, shape<harness::T1>) {
    return harness::fold::weighted(
        of_integer(m.at("c")), of_integer(m.at("uc")), of_integer(m.at("i16")),
        of_integer(m.at("u16")), of_integer(m.at("i32")), of_integer(m.at("u32")),
        of_integer(m.at("i64")), of_unsigned(m.at("u64")), of_float(m.at("f")),
        of_float(m.at("d")));
}

inline Sum value(const json& m, shape<harness::T2<std::string>>) {
    return harness::fold::weighted(of_text(m.at("s1")), of_text(m.at("s2")), of_text(m.at("s3")),
                                   of_text(m.at("s4")), of_text(m.at("s5")), of_text(m.at("s6")),
                                   of_text(m.at("s7")), of_text(m.at("s8")));
}

inline Sum value(const json& m, shape<harness::T3>) { return 101u * of(m.size()) + of_integers(m); }

inline Sum value(const json& m, shape<harness::T4<std::string>>) {
    return 101u * of(m.size()) + of_texts(m);
}

inline Sum value(const json& m, shape<harness::T5<std::string>>) {
    Sum sum = 101u * of(m.size());
    for (const auto& [key, numbers] : m.get_ref<const json::object_t&>())
        sum += 3u * harness::fold::of_string(key) + 5u * of_integers(numbers);
    return sum;
}

inline Sum value(const json& m, shape<harness::Telemetry>) {
    const json& points = m.at("points");
    Sum sum = 101u * of(points.size());
    for (const json& point : points)
        sum += 3u * of_integer(point.at("time")) + 5u * of_float(point.at("value"))
             + 7u * of_integer(point.at("quality"));
    return sum;
}

inline Sum value(const json& m, shape<harness::Chat<std::string>>) {
    const json &author = m.at("author"), &mentions = m.at("mentions"), &strokes = m.at("strokes");
    Sum sum = 3u * of_text(m.at("id")) + 5u * of_integer(m.at("sent"));
    sum += 7u * of_text(m.at("board"));
    sum += 9u * of_integer(author.at("id")) + 11u * of_text(author.at("name"));
    sum += 13u * of(author.at("active").get<bool>()) + 15u * of_text(m.at("text"));
    sum += 101u * of(mentions.size() + strokes.size()) + of_texts(mentions);
    for (const json& stroke : strokes) {
        sum += 17u * of_text(stroke.at("color")) + 19u * of_float(stroke.at("width"));
        for (const json& point : stroke.at("points"))
            sum += 21u * of_integer(point.at("x")) + 23u * of_integer(point.at("y"));
    }
    return sum;
}

}  // namespace folds
