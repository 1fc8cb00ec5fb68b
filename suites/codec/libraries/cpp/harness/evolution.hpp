// Data of one version of the record read by code of another: the scenario `evolution`. A contender
// gives `Worker::evolving` a codec for each version by its name; see README.md of the suite.
#pragma once

#include "subject.hpp"

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace harness {

/// A reading with the fields of any version; what a version lacks, or was not there, is empty.
struct Reading {
    std::optional<std::int64_t> sensor, count;
    std::optional<int> level;  ///< the number of a value: none, low, high, critical
    std::optional<std::string> name, title, note, unit, zone;
    std::optional<std::string> words;  ///< the count where it is a string
};

struct VersionCodec {
    std::function<std::vector<std::uint8_t>(const Reading&)> encode;
    std::function<Reading(Bytes)> decode;
};

/// The codec of a version: `base`, or the name of a change.
using Versions = std::function<VersionCodec(const std::string& version)>;

/// Returns `use.operator()<Type>()` with the type that a namespace has for a version.
#define HARNESS_VERSIONS(space, version, use)                                                      \
    do {                                                                                           \
        if ((version) == "base") return use.template operator()<space::Base>();                    \
        if ((version) == "added") return use.template operator()<space::Added>();                  \
        if ((version) == "removed") return use.template operator()<space::Removed>();              \
        if ((version) == "reordered") return use.template operator()<space::Reordered>();          \
        if ((version) == "renamed") return use.template operator()<space::Renamed>();              \
        if ((version) == "widened") return use.template operator()<space::Widened>();              \
        if ((version) == "retyped") return use.template operator()<space::Retyped>();              \
        if ((version) == "enumeration") return use.template operator()<space::Enumeration>();      \
        if ((version) == "required") return use.template operator()<space::Required>();            \
        throw std::runtime_error("no version is called " + std::string(version));                  \
    } while (false)

}  // namespace harness
