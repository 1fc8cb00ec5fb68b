// Writing: a buffer that values are appended to.
#pragma once

#include "schema.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <stdexcept>

namespace cgd {

/// Bytes an encoding takes. Throws std::length_error for what a count cannot say.
template <class T>
std::size_t size_of(const T& value);

namespace detail {

[[noreturn, gnu::cold]] inline void too_long() {
    throw std::length_error("cgd: more elements than a 32-bit count can say");
}

inline void check_count(std::size_t elements) {
    if (elements >= static_cast<std::size_t>(std::numeric_limits<count>::max()))
        too_long();
}

template <primitive T>
std::uint8_t* put(std::uint8_t* at, T value) {
    std::memcpy(at, &value, sizeof value);
    return at + sizeof value;
}

inline std::uint8_t* put(std::uint8_t* at, const std::u16string& text) {
    at = put(at, static_cast<count>(text.size() + 1));
    // A std::u16string has its terminator behind it already.
    const std::size_t bytes = (text.size() + 1) * sizeof(char16_t);
    std::memcpy(at, text.c_str(), bytes);
    return at + bytes;
}

inline std::uint8_t* put(std::uint8_t* at, const std::optional<std::u16string>& text) {
    return text ? put(at, *text) : put(at, null);
}

template <class T>
std::uint8_t* put(std::uint8_t* at, const std::vector<T>& list);
template <class Key, class T>
std::uint8_t* put(std::uint8_t* at, const std::map<Key, T>& map);

template <record T>
std::uint8_t* put(std::uint8_t* at, const T& value) {
    std::apply([&](const auto&... field) { ((at = put(at, field)), ...); }, schema<T>::of(value));
    return at;
}

template <class T>
std::uint8_t* put(std::uint8_t* at, const std::vector<T>& list) {
    at = put(at, static_cast<count>(list.size()));
    if constexpr (is_plain<T>) {
        if (!list.empty())
            std::memcpy(at, list.data(), list.size() * sizeof(T));
        return at + list.size() * sizeof(T);
    } else {
        for (const auto& element : list)
            at = put(at, element);
        return at;
    }
}

template <class Key, class T>
std::uint8_t* put(std::uint8_t* at, const std::map<Key, T>& map) {
    at = put(at, static_cast<count>(map.size()));
    for (const auto& [key, value] : map)
        at = put(put(at, key), value);
    return at;
}

inline std::size_t size(const std::u16string& text) {
    check_count(text.size());
    return sizeof(count) + (text.size() + 1) * sizeof(char16_t);
}

inline std::size_t size(const std::optional<std::u16string>& text) {
    return text ? size(*text) : sizeof(count);
}

template <class T>
std::size_t size(const std::vector<T>& list) {
    check_count(list.size());
    std::size_t bytes = sizeof(count);
    if constexpr (layout<T>::is_fixed)
        return bytes + list.size() * layout<T>::least;
    for (const T& element : list)
        bytes += size_of(element);
    return bytes;
}

template <class Key, class T>
std::size_t size(const std::map<Key, T>& map) {
    check_count(map.size());
    std::size_t bytes = sizeof(count);
    for (const auto& [key, value] : map)
        bytes += size_of(key) + size_of(value);
    return bytes;
}

template <record T>
std::size_t size(const T& value) {
    return std::apply([](const auto&... field) { return (size_of(field) + ...); },
                      schema<T>::of(value));
}

}  // namespace detail

template <class T>
std::size_t size_of(const T& value) {
    if constexpr (layout<T>::is_fixed)
        return layout<T>::least;
    else
        return detail::size(value);
}

/// Grows as values are appended; small messages stay within the object, without the heap.
class buffer {
public:
    static constexpr std::size_t within = 512;

    buffer() = default;
    buffer(buffer&& other) noexcept { take(other); }
    buffer& operator=(buffer&& other) noexcept {
        if (this != &other)
            take(other);
        return *this;
    }

    /// Throws std::length_error, std::bad_alloc; the buffer is then as it was.
    template <class T>
    void append(const T& value) {
        const std::size_t bytes = size_of(value);
        detail::put(room(bytes), value);
        used_ += bytes;
    }

    void clear() { used_ = 0; }
    const std::uint8_t* data() const { return heap_ == nullptr ? own_ : heap_.get(); }
    std::size_t size() const { return used_; }

private:
    std::uint8_t* room(std::size_t bytes) {
        if (capacity_ - used_ < bytes)
            grow(bytes);
        return const_cast<std::uint8_t*>(data()) + used_;
    }

    [[gnu::noinline]] void grow(std::size_t bytes) {
        const std::size_t wanted = std::max(used_ + bytes, 2 * capacity_);
        auto larger = std::make_unique_for_overwrite<std::uint8_t[]>(wanted);
        std::memcpy(larger.get(), data(), used_);
        heap_ = std::move(larger);
        capacity_ = wanted;
    }

    void take(buffer& other) noexcept {
        heap_ = std::move(other.heap_);
        if (heap_ == nullptr)
            std::memcpy(own_, other.own_, other.used_);
        used_ = std::exchange(other.used_, 0);
        capacity_ = std::exchange(other.capacity_, within);
    }

    std::unique_ptr<std::uint8_t[]> heap_;
    std::size_t used_ = 0, capacity_ = within;
    std::uint8_t own_[within];
};

}  // namespace cgd
