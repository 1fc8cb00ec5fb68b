// Large messages: a blob, and records that follow each other as messages do in the library's streams.
#pragma once

#include "fill.hpp"
#include "large.capnp.h"
#include "words.hpp"

#include <harness/large.hpp>
#include <kj/std/iostream.h>

#include <memory>

/// Options for a message that is read once, however long it is: the library's limit of 64 MiB is
/// there for what refers to itself.
inline capnp::ReaderOptions once(harness::Bytes bytes) {
    capnp::ReaderOptions options;
    options.traversalLimitInWords = bytes.size() / sizeof(capnp::word);
    return options;
}

struct BlobCodec {
    using Native = harness::Blob;
    static constexpr auto lifetime = harness::Lifetime::borrowed;

    struct Message {
        explicit Message(const Native& blob) {
            builder.initRoot<Blob>().setBytes(capnp::Data::Reader(blob.data(), blob.size()));
        }
        capnp::MallocMessageBuilder builder;
    };

    struct View {
        explicit View(harness::Bytes bytes)
            : reader(words_of(bytes), once(bytes)), bytes(reader.getRoot<Blob>().getBytes()) {
            if (this->bytes.size() == 0)
                throw harness::Rejected("a blob without bytes");
        }
        capnp::FlatArrayMessageReader reader;
        capnp::Data::Reader bytes;
    };

    Message to_message(const Native& blob) const { return Message(blob); }
    Words encode(Message& message) const { return {capnp::messageToFlatArray(message.builder)}; }
    View decode(harness::Bytes bytes) const { return View(bytes); }
    harness::fold::Sum fold(const View& view) const {
        return harness::fold::of_bytes(view.bytes.begin(), view.bytes.size());
    }
};

inline auto records_to(std::ostream& file) {
    const auto out = std::make_shared<kj::std::StdOutputStream>(file);
    return [out](const harness::TelemetryPoint& record) {
        capnp::MallocMessageBuilder builder(kFirstSegment);
        TelemetryPoint::Builder point = builder.initRoot<TelemetryPoint>();
        point.setTime(record.time);
        point.setValue(record.value);
        point.setQuality(record.quality);
        capnp::writeMessage(*out, builder);
    };
}

inline auto records_from(std::istream& file) {
    struct Source {
        explicit Source(std::istream& file) : stream(file), buffered(stream) {}
        kj::std::StdInputStream stream;
        kj::BufferedInputStreamWrapper buffered;
    };
    const auto source = std::make_shared<Source>(file);
    return [source](harness::TelemetryPoint& record) {
        if (source->buffered.tryGetReadBuffer() == nullptr)
            return false;
        capnp::InputStreamMessageReader message(source->buffered);
        const TelemetryPoint::Reader point = message.getRoot<TelemetryPoint>();
        record = {point.getTime(), point.getValue(), point.getQuality()};
        return true;
    };
}
