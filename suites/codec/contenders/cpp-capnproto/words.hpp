// A message as the words that it is.
#pragma once

#include <capnp/message.h>
#include <capnp/serialize.h>
#include <harness/failure.hpp>
#include <harness/subject.hpp>

/// Words of a message's first segment: enough for every shape but telemetry. The library's own
/// first segment is eight times as large, all of which is zeroed for each message.
constexpr unsigned kFirstSegment = 128;

struct Words {
    kj::Array<capnp::word> words;
    const capnp::word* data() const { return words.begin(); }
    std::size_t size() const { return words.asBytes().size(); }
};

inline kj::ArrayPtr<const capnp::word> words_of(harness::Bytes bytes) {
    if (bytes.size() % sizeof(capnp::word) != 0)
        throw harness::Rejected("the message is no whole number of 8-byte words");
    return {reinterpret_cast<const capnp::word*>(bytes.data()), bytes.size() / sizeof(capnp::word)};
}
