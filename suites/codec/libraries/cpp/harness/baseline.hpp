// The two baselines: copying as many bytes as an encoding has, and folding a value that is there.
#pragma once

#include "loops.hpp"
#include "pool.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace harness {

class CopyLoop final : public Loop {
public:
    explicit CopyLoop(std::string_view shape) {
        for (const std::size_t length : text_lengths(shape))
            lengths_.push_back(std::max<std::size_t>(8, length / 4));
        prepared_.resize(*std::max_element(lengths_.begin(), lengths_.end()));
        for (std::size_t k = 0; k < prepared_.size(); k++)
            prepared_[k] = static_cast<std::uint8_t>(k % 251);
        lines_.resize(prepared_.size() / sizeof(CacheLine) + 1);
    }
    fold::Sum run(std::uint64_t iterations) override {
        std::uint8_t* const copy = lines_.front().bytes;
        return cycle(lengths_, iterations, [this, copy](std::size_t length) {
            std::memcpy(copy, prepared_.data(), length);
            keep(Bytes(copy, length));
            return fold::of_bytes(copy, length);
        });
    }
    std::size_t inputs() const override { return lengths_.size(); }

private:
    /// At some addresses of the copy an iteration takes seven times as long, and which one the heap
    /// gives is chance: it begins with a cache line, where none does.
    struct alignas(64) CacheLine {
        std::uint8_t bytes[64];
    };

    std::vector<std::size_t> lengths_;
    std::vector<std::uint8_t> prepared_;
    std::vector<CacheLine> lines_;
};

template <class Native>
class TouchLoop final : public Loop {
public:
    explicit TouchLoop(const std::vector<Native>& natives) : pool_(natives) {}
    fold::Sum run(std::uint64_t iterations) override {
        return cycle(pool_, iterations, [](const Native& native) {
            keep(native);
            return fold::value(native);
        });
    }
    std::size_t inputs() const override { return pool_.size(); }

private:
    std::vector<Native> pool_;
};

template <class Native>
class BaselineSubject final : public Subject {
public:
    explicit BaselineSubject(std::string_view shape)
        : shape_(shape), natives_(load_pool<Native>(shape)) {}
    std::size_t size() const override { return natives_.size(); }
    std::unique_ptr<Loop> loop(std::string_view operation) const override {
        if (operation == "copy")
            return std::make_unique<CopyLoop>(shape_);
        return std::make_unique<TouchLoop<Native>>(natives_);
    }
    // A baseline has no format, and is asked for no answers.
    std::vector<std::uint8_t> encode(std::size_t) override { throw no_format(); }
    std::unique_ptr<Decoded> decode(Bytes) override { throw no_format(); }
    bool owns_decoded() const override { return true; }

private:
    static std::logic_error no_format() { return std::logic_error("a baseline has no format"); }

    std::string shape_;
    std::vector<Native> natives_;
};

}  // namespace harness
