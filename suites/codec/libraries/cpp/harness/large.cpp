#include "large_steps.hpp"

#include "answers.hpp"
#include "memory.hpp"
#include "pool.hpp"

#include <array>
#include <streambuf>

namespace harness {

namespace {

constexpr std::size_t kMegabyte = 1'000'000, kRecord = 20, kModulus = 251, kChunk = 1 << 16;
constexpr std::array<const char*, 2> kDirections = {"to_bytes", "from_bytes"};

/// A direction, ready to be done again and again: the fold of what came out, which `told` gets as
/// members of JSON.
using Task = std::function<fold::Sum(std::string& told)>;

std::string member_of(const char* name, std::uint64_t value) {
    return "\"" + std::string(name) + "\":" + std::to_string(value);
}

/// A file that keeps nothing but its length, its first byte and its last one.
class EndsOfFile final : public std::streambuf {
public:
    EndsOfFile() { setp(room_.data(), room_.data() + room_.size()); }
    Ends ends() {
        sync();
        return ends_;
    }

protected:
    int sync() override {
        if (pptr() != pbase()) {
            if (ends_.size == 0)
                ends_.first = static_cast<std::uint8_t>(*pbase());
            ends_.last = static_cast<std::uint8_t>(pptr()[-1]);
            ends_.size += static_cast<std::size_t>(pptr() - pbase());
            setp(room_.data(), room_.data() + room_.size());
        }
        return 0;
    }
    int_type overflow(int_type one) override {
        sync();
        if (traits_type::eq_int_type(one, traits_type::eof()))
            return traits_type::not_eof(one);
        return sputc(traits_type::to_char_type(one));
    }

private:
    std::vector<char> room_ = std::vector<char>(kChunk);
    Ends ends_;
};

/// A file with the same bytes so many times, which takes the memory of one.
class RepeatedFile final : public std::streambuf {
public:
    RepeatedFile(Blob& block, std::size_t times)
        : block_(reinterpret_cast<char*>(block.data())), size_(block.size()), left_(times) {}

protected:
    int_type underflow() override {
        if (left_ == 0)
            return traits_type::eof();
        left_--;
        setg(block_, block_, block_ + size_);
        return traits_type::to_int_type(*block_);
    }

private:
    char* block_;
    std::size_t size_, left_;
};

std::vector<TelemetryPoint> points() {
    return load_pool<Telemetry>("telemetry").front().points;
}

Blob blob_of(std::size_t size) {
    Blob blob(size);
    for (std::size_t k = 0; k < size; k++)
        blob[k] = static_cast<std::uint8_t>(k % kModulus);
    return blob;
}

Telemetry records_of(std::size_t count) {
    const std::vector<TelemetryPoint> distinct = points();
    Telemetry records;
    records.points.reserve(count);
    while (records.points.size() < count)
        records.points.insert(records.points.end(), distinct.begin(), distinct.end());
    return records;
}

template <class Native>
Task between(bool writes, const Whole<Native>& whole, Native value) {
    if (writes)
        return [whole, value = std::move(value)](std::string& told) {
            const Ends ends = whole.to_bytes(value);
            told = member_of("size", ends.size) + "," + member_of("first", ends.first) + ","
                 + member_of("middle", ends.middle) + "," + member_of("last", ends.last);
            return ends.fold();
        };
    return [whole, encoded = whole.encoded(value)](std::string& told) {
        const fold::Sum sum = whole.from_bytes(encoded);
        told = member_of("fold", sum);
        return sum;
    };
}

Task writes_records(const Large& large, std::size_t times) {
    return [large, times, records = points()](std::string& told) {
        EndsOfFile file;
        std::ostream out(&file);
        {
            // What a writer still has goes to the file when it goes.
            const auto write = large.writer(out);
            for (std::size_t iteration = 0; iteration < times; iteration++)
                for (const TelemetryPoint& record : records)
                    write(record);
        }
        const Ends ends = file.ends();
        told = member_of("size", ends.size) + "," + member_of("first", ends.first) + ","
             + member_of("last", ends.last);
        return ends.fold();
    };
}

/// The encodings of the records that differ, as a file has them.
class Block final : public std::streambuf {
public:
    Blob bytes;

protected:
    int_type overflow(int_type one) override {
        bytes.push_back(static_cast<std::uint8_t>(one));
        return one;
    }
};

Task reads_records(const Large& large, std::size_t times) {
    Block block;
    std::ostream out(&block);
    {
        const auto write = large.writer(out);
        for (const TelemetryPoint& record : points())
            write(record);
    }
    return [large, times, bytes = std::move(block.bytes)](std::string& told) mutable {
        RepeatedFile file(bytes, times);
        std::istream in(&file);
        const auto read = large.reader(in);
        fold::Sum sum = 0;
        for (TelemetryPoint point; read(point);)
            sum += 101u + 3u * fold::of(point.time) + 5u * fold::of(point.value)
                 + 7u * fold::of(point.quality);
        told = member_of("fold", sum);
        return sum;
    };
}

Task task_of(const std::string& step, const std::string& direction, const Large& large) {
    const std::size_t dash = step.find('-');
    const std::string form = step.substr(0, dash);
    const std::size_t size = kMegabyte * std::stoul(step.substr(dash + 1));
    const bool writes = direction == kDirections[0];
    if (form == "blob")
        return between(writes, large.blob, blob_of(size));
    if (form == "whole")
        return between(writes, large.records, records_of(size / kRecord));
    const std::size_t times = size / kRecord / points().size();
    return writes ? writes_records(large, times) : reads_records(large, times);
}

class LargeLoop final : public Loop {
public:
    explicit LargeLoop(Task task) : task_(std::move(task)) {}
    fold::Sum run(std::uint64_t iterations) override {
        fold::Sum sum = 0;
        std::string told;
        for (std::uint64_t iteration = 0; iteration < iterations; iteration++)
            sum += task_(told);
        return sum;
    }
    std::size_t inputs() const override { return 1; }

private:
    Task task_;
};

}  // namespace

void answer_large(Session& session, const std::string& step, const Large& large) {
    for (std::size_t tick = 0; tick < kDirections.size(); tick++) {
        const auto once = [&] {
            const Task task = task_of(step, kDirections[tick], large);
            std::string told;
            if (const auto use = memory_of([&] { task(told); }))
                told += ",\"before_bytes\":" + std::to_string(use->before)
                      + ",\"peak_bytes\":" + std::to_string(use->peak);
            return "{" + told + "}";
        };
        const Outcome outcome = called(once, [](std::string& told) { return told; });
        write_answer(session, {"measure", "once", step, static_cast<std::int64_t>(tick)}, outcome);
    }
}

std::unique_ptr<Loop> large_loop(const std::string& step, const std::string& direction,
                                 const Large& large) {
    return std::make_unique<LargeLoop>(task_of(step, direction, large));
}

}  // namespace harness
