// Native values, written with RapidJSON's Writer: no document is built for that.
#pragma once

#include "library.hpp"

#include <harness/shapes.hpp>

#include <string>
#include <vector>

using Writer = rapidjson::Writer<rapidjson::StringBuffer>;

inline void write(Writer& w, const std::vector<std::int32_t>& numbers) {
    w.StartArray();
    for (const std::int32_t number : numbers)
        w.Int(number);
    w.EndArray();
}

inline void write(Writer& w, const std::vector<std::string>& texts) {
    w.StartArray();
    for (const std::string& text : texts)
        w.String(text);
    w.EndArray();
}

inline void write(Writer& w, const harness::T1& v) {
    w.StartObject();
    w.Key("c"), w.Int(v.c);
    w.Key("uc"), w.Uint(v.uc);
    w.Key("i16"), w.Int(v.i16);
    w.Key("u16"), w.Uint(v.u16);
    w.Key("i32"), w.Int(v.i32);
    w.Key("u32"), w.Uint(v.u32);
    w.Key("i64"), w.Int64(v.i64);
    w.Key("u64"), w.Uint64(v.u64);
    w.Key("f"), w.Double(v.f);
    w.Key("d"), w.Double(v.d);
    w.EndObject();
}

inline void write(Writer& w, const harness::T2<std::string>& v) {
    w.StartObject();
    w.Key("s1"), w.String(v.s1);
    w.Key("s2"), w.String(v.s2);
    w.Key("s3"), w.String(v.s3);
    w.Key("s4"), w.String(v.s4);
    w.Key("s5"), w.String(v.s5);
    w.Key("s6"), w.String(v.s6);
    w.Key("s7"), w.String(v.s7);
    w.Key("s8"), w.String(v.s8);
    w.EndObject();
}

inline void write(Writer& w, const harness::T5<std::string>& v) {
    w.StartObject();
    for (const auto& [key, numbers] : v) {
        w.Key(key.data(), static_cast<rapidjson::SizeType>(key.size()));
        write(w, numbers);
    }
    w.EndObject();
}

inline void write(Writer& w, const harness::Telemetry& v) {
    w.StartObject();
    w.Key("points"), w.StartArray();
    for (const harness::TelemetryPoint& point : v.points) {
        w.StartObject();
        w.Key("time"), w.Int64(point.time);
        w.Key("value"), w.Double(point.value);
        w.Key("quality"), w.Int(point.quality);
        w.EndObject();
    }
    w.EndArray();
    w.EndObject();
}

inline void write(Writer& w, const harness::Stroke<std::string>& v) {
    w.StartObject();
    w.Key("color"), w.String(v.color);
    w.Key("width"), w.Double(v.width);
    w.Key("points"), w.StartArray();
    for (const harness::Position& point : v.points) {
        w.StartObject();
        w.Key("x"), w.Int(point.x);
        w.Key("y"), w.Int(point.y);
        w.EndObject();
    }
    w.EndArray();
    w.EndObject();
}

inline void write(Writer& w, const harness::Chat<std::string>& v) {
    w.StartObject();
    w.Key("id"), w.String(v.id);
    w.Key("sent"), w.Int64(v.sent);
    w.Key("board"), w.String(v.board);
    w.Key("author"), w.StartObject();
    w.Key("id"), w.Uint(v.author.id);
    w.Key("name"), w.String(v.author.name);
    w.Key("active"), w.Bool(v.author.active);
    w.EndObject();
    w.Key("text"), w.String(v.text);
    w.Key("mentions"), write(w, v.mentions);
    w.Key("strokes"), w.StartArray();
    for (const harness::Stroke<std::string>& stroke : v.strokes)
        write(w, stroke);
    w.EndArray();
    w.EndObject();
}
