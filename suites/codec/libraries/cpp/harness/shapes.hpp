// The native values of the seven shapes: what a program in C++ would hold.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace harness {

struct T1 {
    std::int8_t c{};
    std::uint8_t uc{};
    std::int16_t i16{};
    std::uint16_t u16{};
    std::int32_t i32{};
    std::uint32_t u32{};
    std::int64_t i64{};
    std::uint64_t u64{};
    float f{};
    double d{};
    bool operator==(const T1&) const = default;
};

template <class String>
struct T2 {
    String s1, s2, s3, s4, s5, s6, s7, s8;
    bool operator==(const T2&) const = default;
};

using T3 = std::vector<std::int32_t>;

template <class String>
using T4 = std::vector<String>;

template <class String>
using T5 = std::map<String, std::vector<std::int32_t>>;

struct TelemetryPoint {
    std::int64_t time{};
    double value{};
    std::int32_t quality{};
    bool operator==(const TelemetryPoint&) const = default;
};

struct Telemetry {
    std::vector<TelemetryPoint> points;
    bool operator==(const Telemetry&) const = default;
};

template <class String>
struct Author {
    std::uint32_t id{};
    String name;
    bool active{};
    bool operator==(const Author&) const = default;
};

struct Position {
    std::int32_t x{};
    std::int32_t y{};
    bool operator==(const Position&) const = default;
};

template <class String>
struct Stroke {
    String color;
    double width{};
    std::vector<Position> points;
    bool operator==(const Stroke&) const = default;
};

template <class String>
struct Chat {
    String id;
    std::int64_t sent{};
    String board;
    Author<String> author;
    String text;
    std::vector<String> mentions;
    std::vector<Stroke<String>> strokes;
    bool operator==(const Chat&) const = default;
};

}  // namespace harness
