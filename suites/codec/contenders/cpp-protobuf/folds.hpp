// The suite's checksums of messages, through the getters that protoc generated.
#pragma once

#include "shapes.pb.h"

#include <harness/fold.hpp>

namespace folds {

using harness::fold::of;
using harness::fold::of_string;
using harness::fold::Sum;
using harness::fold::weighted;

template <class Numbers>
Sum of_numbers(const Numbers& numbers) {
    harness::fold::Terms terms;
    for (const auto number : numbers)
        terms.add(of(number));
    return terms.sum();
}

template <class Texts>
Sum of_texts(const Texts& texts) {
    harness::fold::Terms terms;
    for (const auto& text : texts)
        terms.add(of_string(text));
    return terms.sum();
}

inline Sum value(const codec::T1& m) {
    return weighted(of(m.c()), of(m.uc()), of(m.i16()), of(m.u16()), of(m.i32()), of(m.u32()),
                    of(m.i64()), of(m.u64()), of(m.f()), of(m.d()));
}

inline Sum value(const codec::T2& m) {
    return weighted(of_string(m.s1()), of_string(m.s2()), of_string(m.s3()), of_string(m.s4()),
                    of_string(m.s5()), of_string(m.s6()), of_string(m.s7()), of_string(m.s8()));
}

inline Sum value(const codec::T3& m) { return 101u * of(m.v().size()) + of_numbers(m.v()); }

inline Sum value(const codec::T4& m) { return 101u * of(m.v().size()) + of_texts(m.v()); }

inline Sum value(const codec::T5& m) {
    Sum sum = 101u * of(m.m().size());
    for (const auto& [key, numbers] : m.m())
        sum += 3u * of_string(key) + 5u * of_numbers(numbers.v());
    return sum;
}

inline Sum value(const codec::Telemetry& m) {
    Sum sum = 101u * of(m.points().size());
    for (const codec::TelemetryPoint& point : m.points())
        sum += 3u * of(point.time()) + 5u * of(point.value()) + 7u * of(point.quality());
    return sum;
}

inline Sum value(const codec::Chat& m) {
    Sum sum = 3u * of_string(m.id()) + 5u * of(m.sent()) + 7u * of_string(m.board());
    sum += 9u * of(m.author().id()) + 11u * of_string(m.author().name());
    sum += 13u * of(m.author().active()) + 15u * of_string(m.text());
    sum += 101u * of(m.mentions().size() + m.strokes().size()) + of_texts(m.mentions());
    for (const codec::Stroke& stroke : m.strokes()) {
        sum += 17u * of_string(stroke.color()) + 19u * of(stroke.width());
        for (const codec::Position& point : stroke.points())
            sum += 21u * of(point.x()) + 23u * of(point.y());
    }
    return sum;
}

}  // namespace folds
