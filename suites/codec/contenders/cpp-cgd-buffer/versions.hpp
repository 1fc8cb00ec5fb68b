// The fields of the record of `evolution` in each version, as they follow each other.
#pragma once

#include "cgd/schema.hpp"

#include <harness/records.hpp>

using Versions = harness::Records<std::u16string>;

template <>
struct cgd::schema<Versions::Base> {
    static auto of(auto& v) { return std::tie(v.sensor, v.name, v.note, v.count, v.level); }
};

template <>
struct cgd::schema<Versions::Added> {
    static auto of(auto& v) { return std::tie(v.sensor, v.name, v.note, v.count, v.level, v.unit); }
};

template <>
struct cgd::schema<Versions::Removed> {
    static auto of(auto& v) { return std::tie(v.sensor, v.name, v.count, v.level); }
};

template <>
struct cgd::schema<Versions::Reordered> {
    static auto of(auto& v) { return std::tie(v.count, v.name, v.note, v.sensor, v.level); }
};

template <>
struct cgd::schema<Versions::Renamed> {
    static auto of(auto& v) { return std::tie(v.sensor, v.title, v.note, v.count, v.level); }
};

template <>
struct cgd::schema<Versions::Widened> : cgd::schema<Versions::Base> {};

template <>
struct cgd::schema<Versions::Retyped> : cgd::schema<Versions::Base> {};

template <>
struct cgd::schema<Versions::Enumeration> : cgd::schema<Versions::Base> {};

template <>
struct cgd::schema<Versions::Required> {
    static auto of(auto& v) { return std::tie(v.sensor, v.name, v.note, v.count, v.level, v.zone); }
};
