// The suite's structs as nlohmann::json knows them: its own macros, in the structs' namespace.
#pragma once

#include <harness/shapes.hpp>
#include <nlohmann/json.hpp>

namespace harness {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(T1, c, uc, i16, u16, i32, u32, i64, u64, f, d)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(T2<std::string>, s1, s2, s3, s4, s5, s6, s7, s8)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TelemetryPoint, time, value, quality)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Telemetry, points)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Author<std::string>, id, name, active)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Position, x, y)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Stroke<std::string>, color, width, points)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Chat<std::string>, id, sent, board, author, text, mentions,
                                   strokes)

}  // namespace harness
