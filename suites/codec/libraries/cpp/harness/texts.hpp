// Strings of UTF-8 as strings of UTF-16 and back.
#pragma once

#include <string>
#include <string_view>

namespace harness {

/// The units of a text that is UTF-8.
std::u16string utf16_of(std::string_view text);

/// The text of units. A surrogate without its other half becomes U+FFFD.
std::string utf8_of(std::u16string_view units);

}  // namespace harness
