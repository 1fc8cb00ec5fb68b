// The suite's checksums of FlatBuffers, through the accessors that flatc generated.
#pragma once

#include "read.hpp"

#include <harness/fold.hpp>

namespace folds {

using harness::fold::of;
using harness::fold::Sum;
using reading::All;

inline Sum of_text(const flatbuffers::String* text) {
    return harness::fold::of_string(reading::text(text));
}

inline Sum of_integers(const flatbuffers::Vector<std::int32_t>* numbers) {
    harness::fold::Terms terms;
    for (const std::int32_t number : All(numbers))
        terms.add(of(number));
    return terms.sum();
}

inline Sum of_texts(const flatbuffers::Vector<flatbuffers::Offset<flatbuffers::String>>* texts) {
    harness::fold::Terms terms;
    for (const flatbuffers::String* text : All(texts))
        terms.add(of_text(text));
    return terms.sum();
}

inline Sum value(const codec::T1& m) {
    return harness::fold::weighted(of(m.c()), of(m.uc()), of(m.i16()), of(m.u16()), of(m.i32()),
                                   of(m.u32()), of(m.i64()), of(m.u64()), of(m.f()), of(m.d()));
}

inline Sum value(const codec::T2& m) {
    return harness::fold::weighted(of_text(m.s1()), of_text(m.s2()), of_text(m.s3()),
                                   of_text(m.s4()), of_text(m.s5()), of_text(m.s6()),
                                   of_text(m.s7()), of_text(m.s8()));
}

inline Sum value(const codec::T3& m) { return 101u * of(All(m.v()).size()) + of_integers(m.v()); }

inline Sum value(const codec::T4& m) { return 101u * of(All(m.v()).size()) + of_texts(m.v()); }

inline Sum value(const codec::T5& m) {
    Sum sum = 101u * of(All(m.m()).size());
    for (const codec::Entry* entry : All(m.m()))
        sum += 3u * of_text(entry->key()) + 5u * of_integers(entry->v());
    return sum;
}

inline Sum value(const codec::Telemetry& m) {
    Sum sum = 101u * of(All(m.points()).size());
    for (const codec::TelemetryPoint* point : All(m.points()))
        sum += 3u * of(point->time()) + 5u * of(point->value()) + 7u * of(point->quality());
    return sum;
}

inline Sum value(const codec::Chat& m) {
    Sum sum = 3u * of_text(m.id()) + 5u * of(m.sent()) + 7u * of_text(m.board());
    if (const codec::Author* author = m.author())
        sum += 9u * of(author->id()) + 11u * of_text(author->name()) + 13u * of(author->active());
    sum += 15u * of_text(m.text());
    sum += 101u * of(All(m.mentions()).size() + All(m.strokes()).size()) + of_texts(m.mentions());
    for (const codec::Stroke* stroke : All(m.strokes())) {
        sum += 17u * of_text(stroke->color()) + 19u * of(stroke->width());
        for (const codec::Position* point : All(stroke->points()))
            sum += 21u * of(point->x()) + 23u * of(point->y());
    }
    return sum;
}

}  // namespace folds
