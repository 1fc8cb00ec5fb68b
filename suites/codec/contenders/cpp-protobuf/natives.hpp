// Native values out of messages, through the accessors that protoc generated. Of a message that is
// nobody's any more strings are taken over, of another one they are copied.
#pragma once

#include "messages.hpp"

#include <iterator>
#include <utility>

inline void take(harness::T1& v, const codec::T1& m) {
    v.c = static_cast<std::int8_t>(m.c());
    v.uc = static_cast<std::uint8_t>(m.uc());
    v.i16 = static_cast<std::int16_t>(m.i16());
    v.u16 = static_cast<std::uint16_t>(m.u16());
    v.i32 = m.i32();
    v.u32 = m.u32();
    v.i64 = m.i64();
    v.u64 = m.u64();
    v.f = m.f();
    v.d = m.d();
}

inline void take(harness::T2<std::string>& v, const codec::T2& m) {
    v.s1 = m.s1();
    v.s2 = m.s2();
    v.s3 = m.s3();
    v.s4 = m.s4();
    v.s5 = m.s5();
    v.s6 = m.s6();
    v.s7 = m.s7();
    v.s8 = m.s8();
}

inline void take(harness::T2<std::string>& v, codec::T2&& m) {
    v.s1 = std::move(*m.mutable_s1());
    v.s2 = std::move(*m.mutable_s2());
    v.s3 = std::move(*m.mutable_s3());
    v.s4 = std::move(*m.mutable_s4());
    v.s5 = std::move(*m.mutable_s5());
    v.s6 = std::move(*m.mutable_s6());
    v.s7 = std::move(*m.mutable_s7());
    v.s8 = std::move(*m.mutable_s8());
}

inline void take(harness::T3& v, const codec::T3& m) { v.assign(m.v().begin(), m.v().end()); }

inline void take(harness::T4<std::string>& v, const codec::T4& m) {
    v.assign(m.v().begin(), m.v().end());
}

inline void take(harness::T4<std::string>& v, codec::T4&& m) {
    auto& texts = *m.mutable_v();
    v.assign(std::make_move_iterator(texts.begin()), std::make_move_iterator(texts.end()));
}

inline void take(harness::T5<std::string>& v, const codec::T5& m) {
    for (const auto& [key, numbers] : m.m())
        v[key].assign(numbers.v().begin(), numbers.v().end());
}

inline void take(harness::Telemetry& v, const codec::Telemetry& m) {
    v.points.reserve(m.points().size());
    for (const codec::TelemetryPoint& point : m.points())
        v.points.push_back({point.time(), point.value(), point.quality()});
}

inline void take(std::vector<harness::Position>& v, const codec::Stroke& m) {
    v.reserve(m.points().size());
    for (const codec::Position& point : m.points())
        v.push_back({point.x(), point.y()});
}

inline void take(harness::Chat<std::string>& v, const codec::Chat& m) {
    v.id = m.id();
    v.sent = m.sent();
    v.board = m.board();
    v.author = {m.author().id(), m.author().name(), m.author().active()};
    v.text = m.text();
    v.mentions.assign(m.mentions().begin(), m.mentions().end());
    v.strokes.reserve(m.strokes().size());
    for (const codec::Stroke& from : m.strokes()) {
        harness::Stroke<std::string>& stroke = v.strokes.emplace_back();
        stroke.color = from.color();
        stroke.width = from.width();
        take(stroke.points, from);
    }
}

inline void take(harness::Chat<std::string>& v, codec::Chat&& m) {
    codec::Author& author = *m.mutable_author();
    auto& mentions = *m.mutable_mentions();
    v.id = std::move(*m.mutable_id());
    v.sent = m.sent();
    v.board = std::move(*m.mutable_board());
    v.author = {author.id(), std::move(*author.mutable_name()), author.active()};
    v.text = std::move(*m.mutable_text());
    v.mentions.assign(std::make_move_iterator(mentions.begin()),
                      std::make_move_iterator(mentions.end()));
    v.strokes.reserve(m.strokes().size());
    for (codec::Stroke& from : *m.mutable_strokes()) {
        harness::Stroke<std::string>& stroke = v.strokes.emplace_back();
        stroke.color = std::move(*from.mutable_color());
        stroke.width = from.width();
        take(stroke.points, from);
    }
}
