// Reading: a view that values are extracted from. No count is believed: before anything is
// allocated, count × the smallest an element can be is compared with what is left.
#pragma once

#include "schema.hpp"

#include <cstddef>
#include <cstring>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string>

namespace cgd {

/// Bytes that are no CGD encoding of what was asked for.
class malformed : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

namespace detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void fail(const char* what, std::size_t left) {
    throw malformed(std::string(what) + ", " + std::to_string(left) + " bytes before the end");
}

/// Elements that lie one after the other in bytes, aligned or not. The bytes hold no objects of T
/// that could be pointed to, so each element is copied out of them, which compiles to one move.
template <class T>
class packed {
public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = T;

    explicit packed(const std::uint8_t* at) : at_(at) {}

    T operator*() const {
        T value;
        std::memcpy(&value, at_, sizeof value);
        return value;
    }
    packed& operator++() { return *this += 1; }
    packed& operator--() { return *this += -1; }
    packed& operator+=(difference_type elements) {
        at_ += elements * static_cast<difference_type>(sizeof(T));
        return *this;
    }
    friend packed operator+(packed from, difference_type elements) { return from += elements; }
    friend difference_type operator-(packed to, packed from) {
        return (to.at_ - from.at_) / static_cast<difference_type>(sizeof(T));
    }
    friend bool operator==(packed, packed) = default;

private:
    const std::uint8_t* at_;
};

}  // namespace detail

class view {
public:
    explicit view(std::span<const std::uint8_t> bytes)
        : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

    /// The next value. Throws malformed; std::bad_alloc where even a sound one does not fit.
    template <class T>
    T extract() {
        T value;
        take(value);
        return value;
    }

    std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }

private:
    void need(std::size_t bytes) const {
        if (left() < bytes)
            detail::fail("the message ends within a value", left());
    }

    /// Reads what need() has already found to be there.
    template <primitive T>
    void load(T& value) {
        if constexpr (std::is_same_v<T, bool>) {
            if (*at_ > 1)
                detail::fail("a bool that is neither 0 nor 1", left());
            value = *at_ == 1;
        } else {
            std::memcpy(&value, at_, sizeof value);
        }
        at_ += sizeof value;
    }

    template <record T>
    void load(T& value) {
        std::apply([this](auto&... field) { (load(field), ...); }, schema<T>::of(value));
    }

    /// A count of elements that take at least `least` bytes each.
    std::size_t take_count(std::size_t least) {
        need(sizeof(count));
        count elements;
        load(elements);
        if (elements < 0)
            detail::fail(elements == null ? "null where a value must be" : "a count below -1",
                         left());
        if (static_cast<std::size_t>(elements) > left() / least)
            detail::fail("a count of more elements than the rest can hold", left());
        return static_cast<std::size_t>(elements);
    }

    template <class T>
        requires layout<T>::is_fixed
    void take(T& value) {
        need(layout<T>::least);
        load(value);
    }

    template <record T>
        requires(!layout<T>::is_fixed)
    void take(T& value) {
        std::apply([this](auto&... field) { (take(field), ...); }, schema<T>::of(value));
    }

    void take(std::u16string& text) {
        const std::size_t units = take_count(sizeof(char16_t));
        if (units == 0)
            detail::fail("a string of no units: an empty one has its terminator", left());
        const std::uint8_t* first = at_;
        at_ += units * sizeof(char16_t);
        char16_t last;
        std::memcpy(&last, at_ - sizeof last, sizeof last);
        if (last != 0)
            detail::fail("a string that does not end with its terminator", left());
#ifdef __cpp_lib_string_resize_and_overwrite
        // The size that libstdc++ 12 hands to the operation is the capacity.
        text.resize_and_overwrite(units - 1, [first, units](char16_t* to, std::size_t) {
            std::memcpy(to, first, (units - 1) * sizeof *to);
            return units - 1;
        });
#else
        text.resize(units - 1);
        std::memcpy(text.data(), first, (units - 1) * sizeof last);
#endif
    }

    void take(std::optional<std::u16string>& text) {
        need(sizeof(count));
        count units;
        std::memcpy(&units, at_, sizeof units);
        if (units == null) {
            at_ += sizeof units;
            text.reset();
        } else {
            take(text.emplace());
        }
    }

    template <class T>
    void take(std::vector<T>& list) {
        const std::size_t elements = take_count(layout<T>::least);
        if constexpr (is_plain<T>) {
            if (elements <= kFew) {
                // Assigning does not fill the list with zeros first, as resizing would.
                const detail::packed<T> first(at_);
                list.assign(first, first + static_cast<std::ptrdiff_t>(elements));
            } else {
                list.resize(elements);
                std::memcpy(list.data(), at_, elements * sizeof(T));
            }
            at_ += elements * sizeof(T);
        } else {
            list.resize(elements);
            for (T& element : list)
                if constexpr (layout<T>::is_fixed)
                    load(element);
                else
                    take(element);
        }
    }

    template <class Key, class T>
    void take(std::map<Key, T>& map) {
        for (std::size_t i = take_count(layout<Key>::least + layout<T>::least); i > 0; --i) {
            Key key = extract<Key>();
            // Maps of this kind are written in order, so the next place is mostly the last one.
            const auto place = map.emplace_hint(map.end(), std::move(key), T());
            take(place->second);
        }
    }

    /// Beyond this a copy in one piece is worth the zeros before it.
    static constexpr std::size_t kFew = 64;

    const std::uint8_t* at_;
    const std::uint8_t* end_;
};

}  // namespace cgd
