// Protocol Buffers with protoc's classes. How messages live is the tuning `messages`: made anew
// in every iteration, kept and filled again, or made in an arena that every iteration resets.

#include "folds.hpp"
#include "large.hpp"
#include "natives.hpp"
#include "versions.hpp"

#include <google/protobuf/arena.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <harness/worker.hpp>

namespace {

/// The first block of an arena: large enough for every shape but telemetry.
constexpr std::size_t kArenaBlock = 16384;

template <class Message>
void parse(Message& message, harness::Bytes bytes) {
    if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
        throw harness::Rejected("ParseFromArray gave false");
}

/// Maps have no order of their own: it differs from message to message, even of equal ones, unless
/// a deterministic one is asked for. Everything else is serialised the usual way.
template <class Message>
void serialize(const Message& message, std::string& out) {
    if constexpr (requires { message.m(); }) {
        out.resize(message.ByteSizeLong());
        google::protobuf::io::ArrayOutputStream bytes(out.data(), static_cast<int>(out.size()));
        google::protobuf::io::CodedOutputStream stream(&bytes);
        stream.SetSerializationDeterministic(true);
        message.SerializeWithCachedSizes(&stream);
    } else {
        message.SerializeToString(&out);
    }
}

template <class Message>
std::string serialized(const Message& message) {
    std::string out;
    serialize(message, out);
    return out;
}

template <class T>
struct Common {
    using Native = T;
    using Message = typename message_of<T>::type;

    Native from_message(const Message& message) const {
        Native value;
        take(value, message);
        return value;
    }
    harness::fold::Sum fold(const Message& message) const { return folds::value(message); }
};

template <class T>
struct Fresh : Common<T> {
    using typename Common<T>::Message;
    static constexpr auto lifetime = harness::Lifetime::owned;

    Message to_message(const T& value) const {
        Message message;
        fill(message, value);
        return message;
    }
    std::string encode(const Message& message) const { return serialized(message); }
    Message decode(harness::Bytes bytes) const {
        Message message;
        parse(message, bytes);
        return message;
    }
    using Common<T>::from_message;
    T from_message(Message&& message) const {
        T value;
        take(value, std::move(message));
        return value;
    }
};

/// Clear keeps the memory of strings and lists, and so does parsing, which clears first.
template <class T>
struct Reuse : Common<T> {
    using typename Common<T>::Message;
    static constexpr auto lifetime = harness::Lifetime::kept;

    Message& to_message(const T& value) {
        written_.Clear();
        fill(written_, value);
        return written_;
    }
    const std::string& encode(const Message& message) {
        serialize(message, encoded_);
        return encoded_;
    }
    Message& decode(harness::Bytes bytes) {
        parse(read_, bytes);
        return read_;
    }

private:
    Message written_, read_;
    std::string encoded_;
};

/// An arena whose first block is ours, so that a reset frees nothing.
class IterationArena {
public:
    template <class Message>
    Message& next() {
        arena_.Reset();
        return *google::protobuf::Arena::CreateMessage<Message>(&arena_);
    }

private:
    google::protobuf::ArenaOptions options() {
        google::protobuf::ArenaOptions options;
        options.initial_block = block_;
        options.initial_block_size = sizeof block_;
        return options;
    }
    alignas(16) char block_[kArenaBlock];
    google::protobuf::Arena arena_{options()};
};

template <class T>
struct InArena : Common<T> {
    using typename Common<T>::Message;
    static constexpr auto lifetime = harness::Lifetime::kept;

    Message& to_message(const T& value) {
        Message& message = written_.next<Message>();
        fill(message, value);
        return message;
    }
    std::string encode(const Message& message) const { return serialized(message); }
    Message& decode(harness::Bytes bytes) {
        Message& message = read_.next<Message>();
        parse(message, bytes);
        return message;
    }

private:
    IterationArena written_, read_;
};

harness::Large large() {
    return {
        .blob = harness::whole<BlobCodec>(),
        .records = harness::whole<Fresh<harness::Telemetry>>(),
        .writer = records_to,
        .reader = records_from,
    };
}

std::string version() {
    return google::protobuf::internal::VersionString(GOOGLE_PROTOBUF_VERSION);
}

}  // namespace

int main() {
    harness::Worker worker;
    worker.evolving(versions::of);
    worker.large(large());
    const harness::About about{
        .library = "protobuf", .version = version(), .format = "protobuf", .strings = "utf-8"};
    const std::string messages = worker.tuning("messages", "fresh");
    if (messages == "reuse")
        return harness::run<Reuse>(worker, about);
    if (messages == "arena")
        return harness::run<InArena>(worker, about);
    return harness::run<Fresh>(worker, about);
}
