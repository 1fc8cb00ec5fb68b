// Large messages: a blob in the library's own message of bytes, records with their lengths before
// them.
#pragma once

#include "natives.hpp"

#include <google/protobuf/io/zero_copy_stream_impl.h>
#include <google/protobuf/util/delimited_message_util.h>
#include <google/protobuf/wrappers.pb.h>
#include <harness/failure.hpp>
#include <harness/large.hpp>

#include <memory>

struct BlobCodec {
    using Native = harness::Blob;
    static constexpr auto lifetime = harness::Lifetime::owned;

    std::string encode(const Native& blob) const {
        google::protobuf::BytesValue message;
        message.set_value(blob.data(), blob.size());
        return message.SerializeAsString();
    }
    Native decode(harness::Bytes bytes) const {
        google::protobuf::BytesValue message;
        if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
            throw harness::Rejected("ParseFromArray gave false");
        return {message.value().begin(), message.value().end()};
    }
};

inline auto records_to(std::ostream& file) {
    const auto stream = std::make_shared<google::protobuf::io::OstreamOutputStream>(&file);
    return [stream](const harness::TelemetryPoint& record) {
        codec::TelemetryPoint message;
        message.set_time(record.time);
        message.set_value(record.value);
        message.set_quality(record.quality);
        google::protobuf::util::SerializeDelimitedToZeroCopyStream(message, stream.get());
    };
}

inline auto records_from(std::istream& file) {
    const auto stream = std::make_shared<google::protobuf::io::IstreamInputStream>(&file);
    return [stream](harness::TelemetryPoint& record) {
        codec::TelemetryPoint message;
        bool ended = false;
        const bool parsed = google::protobuf::util::ParseDelimitedFromZeroCopyStream(
            &message, stream.get(), &ended);
        if (!parsed && !ended)
            throw harness::Rejected("ParseDelimitedFromZeroCopyStream gave false");
        record = {message.time(), message.value(), message.quality()};
        return parsed;
    };
}
