// The suite's checksums of RapidJSON documents, by name as their user reads them.
#pragma once

#include "library.hpp"

#include <harness/fold.hpp>

#include <string_view>

namespace folds {

using harness::fold::of;
using harness::fold::Sum;
using rapidjson::Value;

/// Which shape a value has is not in the value.
template <class Native>
struct shape {};

inline Sum of_text(const Value& text) {
    return harness::fold::of_string(std::string_view(text.GetString(), text.GetStringLength()));
}

inline Sum of_integers(const Value& numbers) {
    harness::fold::Terms terms;
    for (const Value& number : numbers.GetArray())
        terms.add(of(number.GetInt()));
    return terms.sum();
}

inline Sum of_texts(const Value& texts) {
    harness::fold::Terms terms;
    for (const Value& text : texts.GetArray())
        terms.add(of_text(text));
    return terms.sum();
}

inline Sum value(const Value& m, shape<harness::T1>) {
    return harness::fold::weighted(
        of(m["c"].GetInt()), of(m["uc"].GetUint()), of(m["i16"].GetInt()), of(m["u16"].GetUint()),
        of(m["i32"].GetInt()), of(m["u32"].GetUint()), of(m["i64"].GetInt64()),
        of(m["u64"].GetUint64()), of(m["f"].GetDouble()), of(m["d"].GetDouble()));
}

inline Sum value(const Value& m, shape<harness::T2<std::string>>) {
    return harness::fold::weighted(of_text(m["s1"]), of_text(m["s2"]), of_text(m["s3"]),
                                   of_text(m["s4"]), of_text(m["s5"]), of_text(m["s6"]),
                                   of_text(m["s7"]), of_text(m["s8"]));
}

inline Sum value(const Value& m, shape<harness::T3>) {
    return 101u * of(m.GetArray().Size()) + of_integers(m);
}

inline Sum value(const Value& m, shape<harness::T4<std::string>>) {
    return 101u * of(m.GetArray().Size()) + of_texts(m);
}

inline Sum value(const Value& m, shape<harness::T5<std::string>>) {
    Sum sum = 101u * of(m.MemberCount());
    for (const auto& [key, numbers] : m.GetObject())
        sum += 3u * of_text(key) + 5u * of_integers(numbers);
    return sum;
}

inline Sum value(const Value& m, shape<harness::Telemetry>) {
    const auto points = m["points"].GetArray();
    Sum sum = 101u * of(points.Size());
    for (const Value& point : points)
        sum += 3u * of(point["time"].GetInt64()) + 5u * of(point["value"].GetDouble())
             + 7u * of(point["quality"].GetInt());
    return sum;
}

inline Sum value(const Value& m, shape<harness::Chat<std::string>>) {
    const Value& author = m["author"];
    const auto mentions = m["mentions"].GetArray(), strokes = m["strokes"].GetArray();
    Sum sum = 3u * of_text(m["id"]) + 5u * of(m["sent"].GetInt64()) + 7u * of_text(m["board"]);
    sum += 9u * of(author["id"].GetUint()) + 11u * of_text(author["name"]);
    sum += 13u * of(author["active"].GetBool()) + 15u * of_text(m["text"]);
    sum += 101u * of(mentions.Size() + strokes.Size()) + of_texts(m["mentions"]);
    for (const Value& stroke : strokes) {
        sum += 17u * of_text(stroke["color"]) + 19u * of(stroke["width"].GetDouble());
        for (const Value& point : stroke["points"].GetArray())
            sum += 21u * of(point["x"].GetInt()) + 23u * of(point["y"].GetInt());
    }
    return sum;
}

}  // namespace folds
