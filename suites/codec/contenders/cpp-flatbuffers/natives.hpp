// Native values out of FlatBuffers, for the answers: what is timed never makes them.
#pragma once

#include "read.hpp"

#include <harness/shapes.hpp>

#include <string>
#include <vector>

using reading::All;

inline std::string text(const flatbuffers::String* from) {
    return std::string(reading::text(from));
}

inline void take(harness::T1& v, const codec::T1& m) {
    v = {m.c(), m.uc(), m.i16(), m.u16(), m.i32(), m.u32(), m.i64(), m.u64(), m.f(), m.d()};
}

inline void take(harness::T2<std::string>& v, const codec::T2& m) {
    v = {text(m.s1()), text(m.s2()), text(m.s3()), text(m.s4()),
         text(m.s5()), text(m.s6()), text(m.s7()), text(m.s8())};
}

inline void take(harness::T3& v, const codec::T3& m) {
    for (const std::int32_t number : All(m.v()))
        v.push_back(number);
}

inline void take(harness::T4<std::string>& v, const codec::T4& m) {
    for (const flatbuffers::String* its : All(m.v()))
        v.push_back(text(its));
}

inline void take(harness::T5<std::string>& v, const codec::T5& m) {
    for (const codec::Entry* entry : All(m.m())) {
        std::vector<std::int32_t>& numbers = v[text(entry->key())];
        numbers.clear();
        for (const std::int32_t number : All(entry->v()))
            numbers.push_back(number);
    }
}

inline void take(harness::Telemetry& v, const codec::Telemetry& m) {
    for (const codec::TelemetryPoint* point : All(m.points()))
        v.points.push_back({point->time(), point->value(), point->quality()});
}

inline void take(harness::Chat<std::string>& v, const codec::Chat& m) {
    v.id = text(m.id());
    v.sent = m.sent();
    v.board = text(m.board());
    if (const codec::Author* author = m.author())
        v.author = {author->id(), text(author->name()), author->active()};
    v.text = text(m.text());
    for (const flatbuffers::String* name : All(m.mentions()))
        v.mentions.push_back(text(name));
    for (const codec::Stroke* from : All(m.strokes())) {
        harness::Stroke<std::string>& stroke = v.strokes.emplace_back();
        stroke.color = text(from->color());
        stroke.width = from->width();
        for (const codec::Position* point : All(from->points()))
            stroke.points.push_back({point->x(), point->y()});
    }
}
