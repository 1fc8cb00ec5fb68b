// Native values out of Cap'n Proto structs, for the answers: what is timed never makes them.
#pragma once

#include "shapes.capnp.h"

#include <harness/shapes.hpp>

#include <string>
#include <vector>

inline std::string text(capnp::Text::Reader from) { return {from.begin(), from.size()}; }

inline void take(harness::T1& v, T1::Reader m) {
    v = {m.getC(),   m.getUc(),  m.getI16(), m.getU16(), m.getI32(),
         m.getU32(), m.getI64(), m.getU64(), m.getF(),   m.getD()};
}

inline void take(harness::T2<std::string>& v, T2::Reader m) {
    v = {text(m.getS1()), text(m.getS2()), text(m.getS3()), text(m.getS4()),
         text(m.getS5()), text(m.getS6()), text(m.getS7()), text(m.getS8())};
}

inline void take(std::vector<std::int32_t>& v, capnp::List<std::int32_t>::Reader m) {
    v.clear();
    for (const std::int32_t number : m)
        v.push_back(number);
}

inline void take(std::vector<std::string>& v, capnp::List<capnp::Text>::Reader m) {
    for (const capnp::Text::Reader its : m)
        v.push_back(text(its));
}

inline void take(harness::T3& v, T3::Reader m) { take(v, m.getV()); }

inline void take(harness::T4<std::string>& v, T4::Reader m) { take(v, m.getV()); }

inline void take(harness::T5<std::string>& v, T5::Reader m) {
    for (const Entry::Reader entry : m.getM())
        take(v[text(entry.getKey())], entry.getV());
}

inline void take(harness::Telemetry& v, Telemetry::Reader m) {
    for (const TelemetryPoint::Reader point : m.getPoints())
        v.points.push_back({point.getTime(), point.getValue(), point.getQuality()});
}

inline void take(harness::Chat<std::string>& v, Chat::Reader m) {
    const Author::Reader author = m.getAuthor();
    v.id = text(m.getId());
    v.sent = m.getSent();
    v.board = text(m.getBoard());
    v.author = {author.getId(), text(author.getName()), author.getActive()};
    v.text = text(m.getText());
    take(v.mentions, m.getMentions());
    for (const Stroke::Reader from : m.getStrokes()) {
        harness::Stroke<std::string>& stroke = v.strokes.emplace_back();
        stroke.color = text(from.getColor());
        stroke.width = from.getWidth();
        for (const Position::Reader point : from.getPoints())
            stroke.points.push_back({point.getX(), point.getY()});
    }
}
