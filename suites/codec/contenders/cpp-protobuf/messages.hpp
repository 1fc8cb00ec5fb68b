// Native values into messages, through the setters that protoc generated.
#pragma once

#include "shapes.pb.h"

#include <harness/shapes.hpp>

#include <string>

/// The message of a native value.
template <class Native>
struct message_of;
template <>
struct message_of<harness::T1> : std::type_identity<codec::T1> {};
template <>
struct message_of<harness::T2<std::string>> : std::type_identity<codec::T2> {};
template <>
struct message_of<harness::T3> : std::type_identity<codec::T3> {};
template <>
struct message_of<harness::T4<std::string>> : std::type_identity<codec::T4> {};
template <>
struct message_of<harness::T5<std::string>> : std::type_identity<codec::T5> {};
template <>
struct message_of<harness::Telemetry> : std::type_identity<codec::Telemetry> {};
template <>
struct message_of<harness::Chat<std::string>> : std::type_identity<codec::Chat> {};

inline void fill(codec::T1& m, const harness::T1& v) {
    m.set_c(v.c);
    m.set_uc(v.uc);
    m.set_i16(v.i16);
    m.set_u16(v.u16);
    m.set_i32(v.i32);
    m.set_u32(v.u32);
    m.set_i64(v.i64);
    m.set_u64(v.u64);
    m.set_f(v.f);
    m.set_d(v.d);
}

inline void fill(codec::T2& m, const harness::T2<std::string>& v) {
    m.set_s1(v.s1);
    m.set_s2(v.s2);
    m.set_s3(v.s3);
    m.set_s4(v.s4);
    m.set_s5(v.s5);
    m.set_s6(v.s6);
    m.set_s7(v.s7);
    m.set_s8(v.s8);
}

inline void fill(codec::T3& m, const harness::T3& v) { m.mutable_v()->Add(v.begin(), v.end()); }

inline void fill(codec::T4& m, const harness::T4<std::string>& v) {
    m.mutable_v()->Reserve(static_cast<int>(v.size()));
    for (const std::string& text : v)
        m.add_v(text);
}

inline void fill(codec::T5& m, const harness::T5<std::string>& v) {
    auto& map = *m.mutable_m();
    for (const auto& [key, numbers] : v)
        map[key].mutable_v()->Add(numbers.begin(), numbers.end());
}

inline void fill(codec::Telemetry& m, const harness::Telemetry& v) {
    m.mutable_points()->Reserve(static_cast<int>(v.points.size()));
    for (const harness::TelemetryPoint& point : v.points) {
        codec::TelemetryPoint& to = *m.add_points();
        to.set_time(point.time);
        to.set_value(point.value);
        to.set_quality(point.quality);
    }
}

inline void fill(codec::Stroke& m, const harness::Stroke<std::string>& v) {
    m.set_color(v.color);
    m.set_width(v.width);
    m.mutable_points()->Reserve(static_cast<int>(v.points.size()));
    for (const harness::Position& point : v.points) {
        codec::Position& to = *m.add_points();
        to.set_x(point.x);
        to.set_y(point.y);
    }
}

inline void fill(codec::Chat& m, const harness::Chat<std::string>& v) {
    m.set_id(v.id);
    m.set_sent(v.sent);
    m.set_board(v.board);
    codec::Author& author = *m.mutable_author();
    author.set_id(v.author.id);
    author.set_name(v.author.name);
    author.set_active(v.author.active);
    m.set_text(v.text);
    for (const std::string& name : v.mentions)
        m.add_mentions(name);
    for (const harness::Stroke<std::string>& stroke : v.strokes)
        fill(*m.add_strokes(), stroke);
}
