// The record of `evolution` in capnp's structs. A struct that is handed on is copied whole, with what
// this version does not know of it.
#pragma once

#include "evolution.capnp.h"
#include "words.hpp"

#include <harness/evolution.hpp>

#include <type_traits>

namespace versions {

inline capnp::Text::Reader text(const std::string& from) { return {from.data(), from.size()}; }

inline std::string text(capnp::Text::Reader from) { return {from.begin(), from.size()}; }

template <class Builder>
void fill(Builder to, const harness::Reading& reading) {
    to.setSensor(static_cast<std::int32_t>(*reading.sensor));
    to.setLevel(static_cast<decltype(to.getLevel())>(*reading.level));
    if constexpr (requires { to.setCount(*reading.count); })
        to.setCount(*reading.count);
    else
        to.setCount(text(*reading.words));
    if constexpr (requires { to.hasName(); })
        to.setName(text(*reading.name));
    if constexpr (requires { to.hasTitle(); })
        to.setTitle(text(*reading.title));
    if constexpr (requires { to.hasNote(); }) {
        if (reading.note)
            to.setNote(text(*reading.note));
    }
    if constexpr (requires { to.hasUnit(); }) {
        if (reading.unit)
            to.setUnit(text(*reading.unit));
    }
    if constexpr (requires { to.hasZone(); })
        to.setZone(text(*reading.zone));
}

template <class Reader>
harness::Reading take(Reader from) {
    harness::Reading reading;
    reading.sensor = from.getSensor();
    reading.level = static_cast<int>(from.getLevel());
    if constexpr (std::is_integral_v<decltype(from.getCount())>)
        reading.count = from.getCount();
    else if (from.hasCount())
        reading.words = text(from.getCount());
    if constexpr (requires { from.hasName(); }) {
        if (from.hasName())
            reading.name = text(from.getName());
    }
    if constexpr (requires { from.hasTitle(); }) {
        if (from.hasTitle())
            reading.title = text(from.getTitle());
    }
    if constexpr (requires { from.hasNote(); }) {
        if (from.hasNote())
            reading.note = text(from.getNote());
    }
    if constexpr (requires { from.hasUnit(); }) {
        if (from.hasUnit())
            reading.unit = text(from.getUnit());
    }
    if constexpr (requires { from.hasZone(); }) {
        if (from.hasZone())
            reading.zone = text(from.getZone());
    }
    return reading;
}

inline harness::Encoding written(capnp::MessageBuilder& message) {
    const kj::Array<capnp::word> words = capnp::messageToFlatArray(message);
    const auto bytes = words.asBytes();
    return {bytes.begin(), bytes.end()};
}

inline harness::VersionCodec of(const std::string& version) {
    const auto made = []<class Version>() {
        return harness::VersionCodec{
            .encode =
                [](const harness::Reading& reading) {
                    capnp::MallocMessageBuilder message;
                    fill(message.initRoot<Version>(), reading);
                    return written(message);
                },
            .decode =
                [](harness::Bytes bytes) {
                    capnp::FlatArrayMessageReader message(words_of(bytes));
                    return take(message.getRoot<Version>());
                },
            .again =
                [](harness::Bytes bytes) {
                    capnp::FlatArrayMessageReader message(words_of(bytes));
                    capnp::MallocMessageBuilder copy;
                    copy.setRoot(message.getRoot<Version>());
                    return written(copy);
                },
        };
    };
    HARNESS_VERSIONS(evolution, version, made);
}

}  // namespace versions
