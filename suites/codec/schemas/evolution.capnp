# The record of the scenario evolution, and what becomes of it: each struct is a later schema.
# Numbers leave no gap, so that a field which is removed keeps its number and its place.
@0xe5f0a1c7d2b94c31;

using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("evolution");

enum Level {
  none @0;
  low @1;
  high @2;
}

enum WiderLevel {
  none @0;
  low @1;
  high @2;
  critical @3;
}

struct Base {
  sensor @0 :Int32;
  name @1 :Text;
  note @2 :Text;
  count @3 :Int32;
  level @4 :Level;
}

struct Added {
  sensor @0 :Int32;
  name @1 :Text;
  note @2 :Text;
  count @3 :Int32;
  level @4 :Level;
  unit @5 :Text;
}

struct Removed {
  sensor @0 :Int32;
  name @1 :Text;
  obsoleteNote @2 :Text;
  count @3 :Int32;
  level @4 :Level;
}

struct Reordered {
  count @3 :Int32;
  name @1 :Text;
  note @2 :Text;
  sensor @0 :Int32;
  level @4 :Level;
}

struct Renamed {
  sensor @0 :Int32;
  title @1 :Text;
  note @2 :Text;
  count @3 :Int32;
  level @4 :Level;
}

struct Widened {
  sensor @0 :Int32;
  name @1 :Text;
  note @2 :Text;
  count @3 :Int64;
  level @4 :Level;
}

struct Retyped {
  sensor @0 :Int32;
  name @1 :Text;
  note @2 :Text;
  count @3 :Text;
  level @4 :Level;
}

struct Enumeration {
  sensor @0 :Int32;
  name @1 :Text;
  note @2 :Text;
  count @3 :Int32;
  level @4 :WiderLevel;
}

struct Required {
  sensor @0 :Int32;
  name @1 :Text;
  note @2 :Text;
  count @3 :Int32;
  level @4 :Level;
  zone @5 :Text;
}
