// The fields of the native structs by name, for libraries that write one value after the other: a
// library that is told of each field needs no list of shapes of its own.
#pragma once

#include "shapes.hpp"

namespace harness {

/// Calls `visit` with name and value of each field of a struct, in the order they are written.
template <class Visit>
void fields(auto& r, Visit visit)
    requires requires { r.uc; }
{
    visit("c", r.c), visit("uc", r.uc), visit("i16", r.i16), visit("u16", r.u16);
    visit("i32", r.i32), visit("u32", r.u32), visit("i64", r.i64), visit("u64", r.u64);
    visit("f", r.f), visit("d", r.d);
}

template <class Visit>
void fields(auto& r, Visit visit)
    requires requires { r.s8; }
{
    visit("s1", r.s1), visit("s2", r.s2), visit("s3", r.s3), visit("s4", r.s4);
    visit("s5", r.s5), visit("s6", r.s6), visit("s7", r.s7), visit("s8", r.s8);
}

template <class Visit>
void fields(auto& r, Visit visit)
    requires requires { r.quality; }
{
    visit("time", r.time), visit("value", r.value), visit("quality", r.quality);
}

template <class Visit>
void fields(auto& r, Visit visit)
    requires requires { r.points; } && (!requires { r.color; })
{
    visit("points", r.points);
}

template <class Visit>
void fields(auto& r, Visit visit)
    requires requires { r.active; }
{
    visit("id", r.id), visit("name", r.name), visit("active", r.active);
}

template <class Visit>
void fields(auto& r, Visit visit)
    requires requires { r.x; }
{
    visit("x", r.x), visit("y", r.y);
}

template <class Visit>
void fields(auto& r, Visit visit)
    requires requires { r.color; }
{
    visit("color", r.color), visit("width", r.width), visit("points", r.points);
}

template <class Visit>
void fields(auto& r, Visit visit)
    requires requires { r.mentions; }
{
    visit("id", r.id), visit("sent", r.sent), visit("board", r.board), visit("author", r.author);
    visit("text", r.text), visit("mentions", r.mentions), visit("strokes", r.strokes);
}

/// A struct of shapes.hpp, as opposed to a number, a string, a list or a map.
template <class T>
concept record = requires(T& value) { fields(value, [](const char*, auto&) {}); };

}  // namespace harness
