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

/// Codec of a blob for a library that writes and reads no bytes: its codec of texts, and how a text
/// is read out of what that decodes.
template <class Texts, class Reads>
struct InBase64 {
    using Native = Blob;
    static constexpr auto lifetime = Lifetime::owned;

    auto encode(const Native& blob) const {
        const Texts texts;
        return texts.encode(encodable(texts, base64_of(blob)));
    }
    Native decode(Bytes bytes) const {
        const auto decoded = Texts().decode(bytes);
        return blob_of_base64(Reads::text(decoded));
    }
};

}  // namespace harness
