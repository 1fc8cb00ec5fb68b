#include "base64.hpp"

#include "failure.hpp"

#include <algorithm>
#include <array>

namespace harness {

namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kNoDigit = 0xff;
constexpr std::size_t kBytes = 3, kCharacters = 4;

constexpr std::array<std::uint8_t, 256> values_of_digits() {
    std::array<std::uint8_t, 256> values{};
    values.fill(kNoDigit);
    for (std::size_t value = 0; value < kDigits.size(); value++)
        values[static_cast<std::uint8_t>(kDigits[value])] = static_cast<std::uint8_t>(value);
    return values;
}

constexpr std::array<std::uint8_t, 256> kValues = values_of_digits();

/// The 24 bits of four characters, of which the last ones may be left out.
std::uint32_t bits_of(std::string_view characters) {
    std::uint32_t bits = 0;
    std::uint32_t wrong = 0;
    for (std::size_t k = 0; k < kCharacters; k++) {
        const std::uint8_t value =
            k < characters.size() ? kValues[static_cast<std::uint8_t>(characters[k])] : 0;
        wrong |= value;
        bits = bits << 6 | (value & 0x3f);
    }
    if (wrong > 0x3f)
        throw Rejected("not a digit of base64");
    return bits;
}

}  // namespace

std::string base64_of(const Blob& bytes) {
    std::string text((bytes.size() + kBytes - 1) / kBytes * kCharacters, '=');
    char* to = text.data();
    const auto put = [&to](std::uint32_t bits, std::size_t characters) {
        for (std::size_t k = 0; k < characters; k++)
            to[k] = kDigits[bits >> (18 - 6 * k) & 0x3f];
        to += characters;
    };
    std::size_t at = 0;
    for (; at + kBytes <= bytes.size(); at += kBytes)
        put(static_cast<std::uint32_t>(bytes[at] << 16 | bytes[at + 1] << 8 | bytes[at + 2]),
            kCharacters);
    if (bytes.size() - at == 1)
        put(static_cast<std::uint32_t>(bytes[at] << 16), 2);
    else if (bytes.size() - at == 2)
        put(static_cast<std::uint32_t>(bytes[at] << 16 | bytes[at + 1] << 8), 3);
    return text;
}

Blob blob_of_base64(std::string_view text) {
    if (text.size() % kCharacters != 0)
        throw Rejected("not a whole number of base64's groups");
    std::size_t padding = 0;
    while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=')
        padding++;
    Blob bytes(text.size() / kCharacters * kBytes - padding);
    text.remove_suffix(padding);
    std::size_t at = 0;
    while (!text.empty()) {
        const std::uint32_t bits = bits_of(text.substr(0, kCharacters));
        for (std::size_t k = 0; k < kBytes && at < bytes.size(); k++)
            bytes[at++] = static_cast<std::uint8_t>(bits >> (16 - 8 * k));
        text.remove_prefix(std::min(kCharacters, text.size()));
    }
    return bytes;
}

}  // namespace harness
