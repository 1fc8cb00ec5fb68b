// The fields of the suite's structs, in the order of README.md.
#pragma once

#include "cgd/schema.hpp"

#include <harness/shapes.hpp>

template <>
struct cgd::schema<harness::T1> {
    static auto of(auto& v) {
        return std::tie(v.c, v.uc, v.i16, v.u16, v.i32, v.u32, v.i64, v.u64, v.f, v.d);
    }
};

template <class String>
struct cgd::schema<harness::T2<String>> {
    static auto of(auto& v) {
        return std::tie(v.s1, v.s2, v.s3, v.s4, v.s5, v.s6, v.s7, v.s8);
    }
};

template <>
struct cgd::schema<harness::TelemetryPoint> {
    static auto of(auto& v) { return std::tie(v.time, v.value, v.quality); }
};

template <>
struct cgd::schema<harness::Telemetry> {
    static auto of(auto& v) { return std::tie(v.points); }
};

template <class String>
struct cgd::schema<harness::Author<String>> {
    static auto of(auto& v) { return std::tie(v.id, v.name, v.active); }
};

template <>
struct cgd::schema<harness::Position> {
    static auto of(auto& v) { return std::tie(v.x, v.y); }
};

template <class String>
struct cgd::schema<harness::Stroke<String>> {
    static auto of(auto& v) { return std::tie(v.color, v.width, v.points); }
};

template <class String>
struct cgd::schema<harness::Chat<String>> {
    static auto of(auto& v) {
        return std::tie(v.id, v.sent, v.board, v.author, v.text, v.mentions, v.strokes);
    }
};
