// Native values into Cap'n Proto structs, through the builders that capnp generated.
#pragma once

#include "shapes.capnp.h"

#include <harness/shapes.hpp>

#include <string>
#include <vector>

inline capnp::Text::Reader text(const std::string& from) { return {from.data(), from.size()}; }

inline void fill(T1::Builder m, const harness::T1& v) {
    m.setC(v.c);
    m.setUc(v.uc);
    m.setI16(v.i16);
    m.setU16(v.u16);
    m.setI32(v.i32);
    m.setU32(v.u32);
    m.setI64(v.i64);
    m.setU64(v.u64);
    m.setF(v.f);
    m.setD(v.d);
}

inline void fill(T2::Builder m, const harness::T2<std::string>& v) {
    m.setS1(text(v.s1));
    m.setS2(text(v.s2));
    m.setS3(text(v.s3));
    m.setS4(text(v.s4));
    m.setS5(text(v.s5));
    m.setS6(text(v.s6));
    m.setS7(text(v.s7));
    m.setS8(text(v.s8));
}

inline void fill(capnp::List<std::int32_t>::Builder m, const std::vector<std::int32_t>& v) {
    for (unsigned i = 0; i < v.size(); i++)
        m.set(i, v[i]);
}

inline void fill(capnp::List<capnp::Text>::Builder m, const std::vector<std::string>& v) {
    for (unsigned i = 0; i < v.size(); i++)
        m.set(i, text(v[i]));
}

inline void fill(T3::Builder m, const harness::T3& v) { fill(m.initV(v.size()), v); }

inline void fill(T4::Builder m, const harness::T4<std::string>& v) { fill(m.initV(v.size()), v); }

inline void fill(T5::Builder m, const harness::T5<std::string>& v) {
    auto entries = m.initM(v.size());
    unsigned i = 0;
    for (const auto& [key, numbers] : v) {
        Entry::Builder entry = entries[i++];
        entry.setKey(text(key));
        fill(entry.initV(numbers.size()), numbers);
    }
}

inline void fill(Telemetry::Builder m, const harness::Telemetry& v) {
    auto points = m.initPoints(v.points.size());
    for (unsigned i = 0; i < v.points.size(); i++) {
        TelemetryPoint::Builder point = points[i];
        point.setTime(v.points[i].time);
        point.setValue(v.points[i].value);
        point.setQuality(v.points[i].quality);
    }
}

inline void fill(Stroke::Builder m, const harness::Stroke<std::string>& v) {
    m.setColor(text(v.color));
    m.setWidth(v.width);
    auto points = m.initPoints(v.points.size());
    for (unsigned i = 0; i < v.points.size(); i++) {
        points[i].setX(v.points[i].x);
        points[i].setY(v.points[i].y);
    }
}

inline void fill(Chat::Builder m, const harness::Chat<std::string>& v) {
    m.setId(text(v.id));
    m.setSent(v.sent);
    m.setBoard(text(v.board));
    Author::Builder author = m.initAuthor();
    author.setId(v.author.id);
    author.setName(text(v.author.name));
    author.setActive(v.author.active);
    m.setText(text(v.text));
    fill(m.initMentions(v.mentions.size()), v.mentions);
    auto strokes = m.initStrokes(v.strokes.size());
    for (unsigned i = 0; i < v.strokes.size(); i++)
        fill(strokes[i], v.strokes[i]);
}
