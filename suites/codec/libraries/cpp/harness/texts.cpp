#include "texts.hpp"

#include <wirelab/json.h>

#include <cstdint>

namespace harness {

namespace {

constexpr std::uint32_t kReplacement = 0xFFFD;

bool is_surrogate(std::uint32_t unit) { return unit >> 11 == 0x1B; }

}  // namespace

std::u16string utf16_of(std::string_view text) {
    std::u16string units;
    for (std::size_t i = 0, length; i < text.size(); i += length) {
        length = wl__utf8(text.data() + i, text.size() - i);
        std::uint32_t point = static_cast<unsigned char>(text[i]);
        if (length > 1)
            point &= 0x7Fu >> length;
        for (std::size_t k = 1; k < length; k++)
            point = point << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3Fu);
        if (point >= 0x10000) {
            units += static_cast<char16_t>(0xD7C0 + (point >> 10));
            point = 0xDC00 + (point & 0x3FF);
        }
        units += static_cast<char16_t>(point);
    }
    return units;
}

std::string utf8_of(std::u16string_view units) {
    std::string text;
    for (std::size_t i = 0; i < units.size(); i++) {
        std::uint32_t point = units[i];
        const bool pair = point >> 10 == 0x36 && i + 1 < units.size() && units[i + 1] >> 10 == 0x37;
        if (pair)
            point = 0x10000 + ((point & 0x3FF) << 10 | (units[++i] & 0x3FFu));
        else if (is_surrogate(point))
            point = kReplacement;
        char bytes[4];
        text.append(bytes, wl__encode(point, bytes));
    }
    return text;
}

}  // namespace harness
