// The suite's checksums of Cap'n Proto structs, through the readers that capnp generated.
#pragma once

#include "shapes.capnp.h"

#include <harness/fold.hpp>

namespace folds {

using harness::fold::of;
using harness::fold::of_string;
using harness::fold::Sum;

inline Sum of_integers(capnp::List<std::int32_t>::Reader numbers) {
    harness::fold::Terms terms;
    for (const std::int32_t number : numbers)
        terms.add(of(number));
    return terms.sum();
}

inline Sum of_texts(capnp::List<capnp::Text>::Reader texts) {
    harness::fold::Terms terms;
    for (const capnp::Text::Reader text : texts)
        terms.add(of_string(text));
    return terms.sum();
}

inline Sum value(T1::Reader m) {
    return harness::fold::weighted(of(m.getC()), of(m.getUc()), of(m.getI16()), of(m.getU16()),
                                   of(m.getI32()), of(m.getU32()), of(m.getI64()), of(m.getU64()),
                                   of(m.getF()), of(m.getD()));
}

inline Sum value(T2::Reader m) {
    return harness::fold::weighted(of_string(m.getS1()), of_string(m.getS2()),
                                   of_string(m.getS3()), of_string(m.getS4()),
                                   of_string(m.getS5()), of_string(m.getS6()),
                                   of_string(m.getS7()), of_string(m.getS8()));
}

inline Sum value(T3::Reader m) {
    const auto v = m.getV();
    return 101u * of(v.size()) + of_integers(v);
}

inline Sum value(T4::Reader m) {
    const auto v = m.getV();
    return 101u * of(v.size()) + of_texts(v);
}

inline Sum value(T5::Reader m) {
    const auto entries = m.getM();
    Sum sum = 101u * of(entries.size());
    for (const Entry::Reader entry : entries)
        sum += 3u * of_string(entry.getKey()) + 5u * of_integers(entry.getV());
    return sum;
}

inline Sum value(Telemetry::Reader m) {
    const auto points = m.getPoints();
    Sum sum = 101u * of(points.size());
    for (const TelemetryPoint::Reader point : points)
        sum += 3u * of(point.getTime()) + 5u * of(point.getValue()) + 7u * of(point.getQuality());
    return sum;
}

inline Sum value(Chat::Reader m) {
    const Author::Reader author = m.getAuthor();
    const auto mentions = m.getMentions();
    const auto strokes = m.getStrokes();
    Sum sum = 3u * of_string(m.getId()) + 5u * of(m.getSent()) + 7u * of_string(m.getBoard());
    sum += 9u * of(author.getId()) + 11u * of_string(author.getName());
    sum += 13u * of(author.getActive()) + 15u * of_string(m.getText());
    sum += 101u * of(mentions.size() + strokes.size()) + of_texts(mentions);
    for (const Stroke::Reader stroke : strokes) {
        sum += 17u * of_string(stroke.getColor()) + 19u * of(stroke.getWidth());
        for (const Position::Reader point : stroke.getPoints())
            sum += 21u * of(point.getX()) + 23u * of(point.getY());
    }
    return sum;
}

}  // namespace folds
