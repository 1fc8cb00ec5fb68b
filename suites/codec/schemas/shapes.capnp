@0xc0de0dd5a11ce5ed;

struct T1 {
  c @0 :Int8;
  uc @1 :UInt8;
  i16 @2 :Int16;
  u16 @3 :UInt16;
  i32 @4 :Int32;
  u32 @5 :UInt32;
  i64 @6 :Int64;
  u64 @7 :UInt64;
  f @8 :Float32;
  d @9 :Float64;
}

struct T2 {
  s1 @0 :Text;
  s2 @1 :Text;
  s3 @2 :Text;
  s4 @3 :Text;
  s5 @4 :Text;
  s6 @5 :Text;
  s7 @6 :Text;
  s8 @7 :Text;
}

struct T3 {
  v @0 :List(Int32);
}

struct T4 {
  v @0 :List(Text);
}

struct Entry {
  key @0 :Text;
  v @1 :List(Int32);
}

struct T5 {
  m @0 :List(Entry);
}

struct TelemetryPoint {
  time @0 :Int64;
  value @1 :Float64;
  quality @2 :Int32;
}

struct Telemetry {
  points @0 :List(TelemetryPoint);
}

struct Author {
  id @0 :UInt32;
  name @1 :Text;
  active @2 :Bool;
}

struct Position {
  x @0 :Int32;
  y @1 :Int32;
}

struct Stroke {
  color @0 :Text;
  width @1 :Float64;
  points @2 :List(Position);
}

struct Chat {
  id @0 :Text;
  sent @1 :Int64;
  board @2 :Text;
  author @3 :Author;
  text @4 :Text;
  mentions @5 :List(Text);
  strokes @6 :List(Stroke);
}
