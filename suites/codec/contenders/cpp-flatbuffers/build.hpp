// Native values into FlatBuffers, through the functions that flatc generated.
#pragma once

#include "shapes_generated.h"

#include <harness/shapes.hpp>

#include <string>
#include <vector>

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

inline Offset<codec::T1> build(FlatBufferBuilder& b, const harness::T1& v) {
    return codec::CreateT1(b, v.c, v.uc, v.i16, v.u16, v.i32, v.u32, v.i64, v.u64, v.f, v.d);
}

inline Offset<codec::T2> build(FlatBufferBuilder& b, const harness::T2<std::string>& v) {
    const auto s1 = b.CreateString(v.s1), s2 = b.CreateString(v.s2), s3 = b.CreateString(v.s3);
    const auto s4 = b.CreateString(v.s4), s5 = b.CreateString(v.s5), s6 = b.CreateString(v.s6);
    const auto s7 = b.CreateString(v.s7), s8 = b.CreateString(v.s8);
    return codec::CreateT2(b, s1, s2, s3, s4, s5, s6, s7, s8);
}

inline Offset<codec::T3> build(FlatBufferBuilder& b, const harness::T3& v) {
    return codec::CreateT3(b, b.CreateVector(v));
}

inline Offset<codec::T4> build(FlatBufferBuilder& b, const harness::T4<std::string>& v) {
    return codec::CreateT4(b, b.CreateVectorOfStrings(v));
}

inline Offset<codec::T5> build(FlatBufferBuilder& b, const harness::T5<std::string>& v) {
    std::vector<Offset<codec::Entry>> entries;
    entries.reserve(v.size());
    for (const auto& [key, numbers] : v) {
        const auto name = b.CreateString(key);
        entries.push_back(codec::CreateEntry(b, name, b.CreateVector(numbers)));
    }
    return codec::CreateT5(b, b.CreateVector(entries));
}

inline Offset<codec::Telemetry> build(FlatBufferBuilder& b, const harness::Telemetry& v) {
    codec::TelemetryPoint* points = nullptr;
    const auto list =
        b.CreateUninitializedVectorOfStructs<codec::TelemetryPoint>(v.points.size(), &points);
    for (const harness::TelemetryPoint& point : v.points)
        *points++ = codec::TelemetryPoint(point.time, point.value, point.quality);
    return codec::CreateTelemetry(b, list);
}

inline Offset<codec::Stroke> build(FlatBufferBuilder& b, const harness::Stroke<std::string>& v) {
    codec::Position* points = nullptr;
    const auto color = b.CreateString(v.color);
    const auto list =
        b.CreateUninitializedVectorOfStructs<codec::Position>(v.points.size(), &points);
    for (const harness::Position& point : v.points)
        *points++ = codec::Position(point.x, point.y);
    return codec::CreateStroke(b, color, v.width, list);
}

inline Offset<codec::Chat> build(FlatBufferBuilder& b, const harness::Chat<std::string>& v) {
    std::vector<Offset<codec::Stroke>> strokes;
    strokes.reserve(v.strokes.size());
    for (const harness::Stroke<std::string>& stroke : v.strokes)
        strokes.push_back(build(b, stroke));
    const auto id = b.CreateString(v.id), board = b.CreateString(v.board);
    const auto name = b.CreateString(v.author.name), text = b.CreateString(v.text);
    const auto author = codec::CreateAuthor(b, v.author.id, name, v.author.active);
    const auto mentions = b.CreateVectorOfStrings(v.mentions);
    return codec::CreateChat(b, id, v.sent, board, author, text, mentions, b.CreateVector(strokes));
}
