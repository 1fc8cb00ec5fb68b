// Bytes as text in base64, for formats that have no bytes: C++ brings none, and neither do its JSON
// libraries.
#pragma once

#include "large.hpp"

#include <string>
#include <string_view>

namespace harness {

/// The text of bytes, padded.
std::string base64_of(const Blob& bytes);

/// The bytes of a padded text; throws Rejected where it is not one.
Blob blob_of_base64(std::string_view text);

}  // namespace harness
