// Large messages: a blob, and records that follow each other with their sizes before them, as the
// library writes and verifies them.
#pragma once

#include "large_generated.h"
#include "read.hpp"

#include <harness/failure.hpp>
#include <harness/large.hpp>

#include <memory>
#include <vector>

struct BlobCodec {
    using Native = harness::Blob;
    static constexpr auto lifetime = harness::Lifetime::borrowed;

    flatbuffers::DetachedBuffer encode(const Native& blob) const {
        flatbuffers::FlatBufferBuilder builder;
        builder.Finish(codec::CreateBlob(builder, builder.CreateVector(blob)));
        return builder.Release();
    }
    const codec::Blob* decode(harness::Bytes bytes) const {
        flatbuffers::Verifier verifier(bytes.data(), bytes.size());
        if (!verifier.VerifyBuffer<codec::Blob>(nullptr))
            throw harness::Rejected("VerifyBuffer gave false");
        return flatbuffers::GetRoot<codec::Blob>(bytes.data());
    }
    harness::fold::Sum fold(const codec::Blob* blob) const {
        const auto* bytes = blob->bytes();
        if (bytes == nullptr || bytes->size() == 0)
            throw harness::Rejected("a blob without bytes");
        return harness::fold::of_bytes(bytes->data(), bytes->size());
    }
};

/// The builder is cleared for each record, and keeps its memory.
inline auto records_to(std::ostream& file) {
    const auto builder = std::make_shared<flatbuffers::FlatBufferBuilder>();
    return [&file, builder](const harness::TelemetryPoint& record) {
        const codec::TelemetryPoint point(record.time, record.value, record.quality);
        builder->Clear();
        builder->FinishSizePrefixed(codec::CreateRecord(*builder, &point));
        file.write(reinterpret_cast<const char*>(builder->GetBufferPointer()),
                   static_cast<std::streamsize>(builder->GetSize()));
    };
}

namespace records {

constexpr std::size_t kSize = sizeof(flatbuffers::uoffset_t);
/// Bytes of a record at the most: what else a size says is none.
constexpr std::size_t kMost = 1024;

/// Fills the room from a place on; false where the file has ended before that place.
inline bool fill(std::istream& file, std::vector<std::uint8_t>& room, std::size_t from) {
    const auto wanted = static_cast<std::streamsize>(room.size() - from);
    file.read(reinterpret_cast<char*>(room.data() + from), wanted);
    if (file.gcount() != wanted && (file.gcount() > 0 || from > 0))
        throw harness::Rejected("a record is cut off");
    return file.gcount() == wanted;
}

}  // namespace records

inline auto records_from(std::istream& file) {
    const auto room = std::make_shared<std::vector<std::uint8_t>>();
    return [&file, room](harness::TelemetryPoint& record) {
        room->resize(records::kSize);
        if (!records::fill(file, *room, 0))
            return false;
        const std::size_t size = flatbuffers::GetPrefixedSize(room->data());
        if (size > records::kMost)
            throw harness::Rejected("a record is longer than any");
        room->resize(records::kSize + size);
        records::fill(file, *room, records::kSize);
        flatbuffers::Verifier verifier(room->data(), room->size());
        if (!verifier.VerifySizePrefixedBuffer<codec::Record>(nullptr))
            throw harness::Rejected("VerifySizePrefixedBuffer gave false");
        const auto* point = flatbuffers::GetSizePrefixedRoot<codec::Record>(room->data())->point();
        if (point == nullptr)
            throw harness::Rejected("a record without its point");
        record = {point->time(), point->value(), point->quality()};
        return true;
    };
}
