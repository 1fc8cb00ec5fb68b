// The original CGDK.buffer in the place of the clean-room codec, for those who have its headers:
// README.md says how. It knows none of the suite's structs, which are taken apart here.
#pragma once

#include "cgd/buffer.hpp"

// Its headers rely on these.
#include <cstdlib>
#include <cstring>

#include <cgdk/shared_buffer>

namespace original {

template <class T>
inline constexpr bool is_list_of_records = false;
template <cgd::record T>
inline constexpr bool is_list_of_records<std::vector<T>> = true;

template <class T>
void append(CGDK::shared_buffer& buffer, const T& value) {
    if constexpr (cgd::record<T>) {
        std::apply([&](const auto&... field) { (append(buffer, field), ...); },
                   cgd::schema<T>::of(value));
    } else if constexpr (is_list_of_records<T>) {
        buffer.append(static_cast<cgd::count>(value.size()));
        for (const auto& element : value)
            append(buffer, element);
    } else {
        buffer.append(value);
    }
}

template <class T>
void extract(CGDK::buffer_view& view, T& value) {
    if constexpr (cgd::record<T>) {
        std::apply([&](auto&... field) { (extract(view, field), ...); },
                   cgd::schema<T>::of(value));
    } else if constexpr (is_list_of_records<T>) {
        value.resize(view.extract<cgd::count>());
        for (auto& element : value)
            extract(view, element);
    } else {
        value = view.extract<T>();
    }
}

/// A buffer of the original does not grow, so it is made as large as the message.
template <class T>
CGDK::shared_buffer encoded(const T& value) {
    auto buffer = alloc_shared_buffer(cgd::size_of(value));
    append(buffer, value);
    return buffer;
}

template <class T>
T decoded(const std::uint8_t* bytes, std::size_t size) {
    CGDK::buffer_view view(const_cast<std::uint8_t*>(bytes), size);
    T value;
    extract(view, value);
    return value;
}

}  // namespace original
