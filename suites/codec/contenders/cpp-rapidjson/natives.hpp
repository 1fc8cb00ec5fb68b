// Native values out of a RapidJSON document.
#pragma once

#include "library.hpp"

#include <harness/shapes.hpp>

#include <string>

using rapidjson::Value;

inline std::string text(const Value& from) { return {from.GetString(), from.GetStringLength()}; }

inline void take(harness::T1& v, const Value& m) {
    v.c = static_cast<std::int8_t>(m["c"].GetInt());
    v.uc = static_cast<std::uint8_t>(m["uc"].GetUint());
    v.i16 = static_cast<std::int16_t>(m["i16"].GetInt());
    v.u16 = static_cast<std::uint16_t>(m["u16"].GetUint());
    v.i32 = m["i32"].GetInt();
    v.u32 = m["u32"].GetUint();
    v.i64 = m["i64"].GetInt64();
    v.u64 = m["u64"].GetUint64();
    v.f = static_cast<float>(m["f"].GetDouble());
    v.d = m["d"].GetDouble();
}

inline void take(harness::T2<std::string>& v, const Value& m) {
    v.s1 = text(m["s1"]);
    v.s2 = text(m["s2"]);
    v.s3 = text(m["s3"]);
    v.s4 = text(m["s4"]);
    v.s5 = text(m["s5"]);
    v.s6 = text(m["s6"]);
    v.s7 = text(m["s7"]);
    v.s8 = text(m["s8"]);
}

inline void take(std::vector<std::int32_t>& v, const Value& m) {
    v.clear();
    v.reserve(m.GetArray().Size());
    for (const Value& number : m.GetArray())
        v.push_back(number.GetInt());
}

inline void take(std::vector<std::string>& v, const Value& m) {
    v.reserve(m.GetArray().Size());
    for (const Value& its : m.GetArray())
        v.push_back(text(its));
}

inline void take(harness::T5<std::string>& v, const Value& m) {
    for (const auto& [key, numbers] : m.GetObject())
        take(v[text(key)], numbers);
}

inline void take(harness::Telemetry& v, const Value& m) {
    const auto points = m["points"].GetArray();
    v.points.reserve(points.Size());
    for (const Value& point : points)
        v.points.push_back(
            {point["time"].GetInt64(), point["value"].GetDouble(), point["quality"].GetInt()});
}

inline void take(harness::Stroke<std::string>& v, const Value& m) {
    const auto points = m["points"].GetArray();
    v.color = text(m["color"]);
    v.width = m["width"].GetDouble();
    v.points.reserve(points.Size());
    for (const Value& point : points)
        v.points.push_back({point["x"].GetInt(), point["y"].GetInt()});
}

inline void take(harness::Chat<std::string>& v, const Value& m) {
    const Value& author = m["author"];
    const auto strokes = m["strokes"].GetArray();
    v.id = text(m["id"]);
    v.sent = m["sent"].GetInt64();
    v.board = text(m["board"]);
    v.author = {author["id"].GetUint(), text(author["name"]), author["active"].GetBool()};
    v.text = text(m["text"]);
    take(v.mentions, m["mentions"]);
    v.strokes.resize(strokes.Size());
    for (rapidjson::SizeType i = 0; i < strokes.Size(); i++)
        take(v.strokes[i], strokes[i]);
}
