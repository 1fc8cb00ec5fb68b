// The instances of a shape, and a native value as the neutral JSON of the answers. Both are
// compiled once, in pool.cpp, for std::string (UTF-8) and std::u16string (UTF-16).
#pragma once

#include "shapes.hpp"

#include <cstddef>
#include <string_view>

namespace harness {

/// The pool of `shape` from $CODEC_SUITE/shapes. Throws std::runtime_error where there is none.
template <class Native>
std::vector<Native> load_pool(std::string_view shape);

/// `value` as JSON, like the pool's.
template <class Native>
std::string neutral(const Native& value);

/// The lengths in bytes of the instances' own JSON texts.
std::vector<std::size_t> text_lengths(std::string_view shape);

}  // namespace harness
