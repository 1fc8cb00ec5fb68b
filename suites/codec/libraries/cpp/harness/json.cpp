#include "json.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace harness {

namespace {

std::runtime_error not_a(const char* kind, wl_json value) {
    const std::string found(value.at == nullptr ? "nothing" : raw(value).substr(0, 40));
    return std::runtime_error(std::string("expected ") + kind + ", found " + found);
}

int digit_of(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

}  // namespace

JsonText::JsonText(std::string text, const std::string& name) : text_(std::move(text)) {
    std::size_t wrong = 0;
    if (!wl_json_parse(text_.data(), text_.size(), &root_, &wrong))
        throw std::runtime_error(name + ": not JSON at byte " + std::to_string(wrong));
}

std::string_view raw(wl_json value) {
    const char* end = value.at;
    if (end == nullptr || !wl__value(&end, value.end, 0))
        return {};
    return {value.at, static_cast<std::size_t>(end - value.at)};
}

std::string string_of(wl_json value) {
    // Decoded, a string is never longer than it is written.
    std::string text(raw(value).size() + 1, '\0');
    if (!wl_json_string(value, text.data(), text.size()))
        throw not_a("a string", value);
    text.resize(std::char_traits<char>::length(text.c_str()));
    return text;
}

std::int64_t integer_of(wl_json value) {
    std::int64_t number = 0;
    if (!wl_json_int(value, &number))
        throw not_a("an integer", value);
    return number;
}

double double_of(wl_json value) {
    const std::string digits(raw(value));
    char* end = nullptr;
    const double number = std::strtod(digits.c_str(), &end);
    if (digits.empty() || *end != '\0')
        throw not_a("a number", value);
    return number;
}

bool bool_of(wl_json value) {
    const std::string_view word = raw(value);
    if (word != "true" && word != "false")
        throw not_a("true or false", value);
    return word == "true";
}

std::vector<std::uint8_t> bytes_of_hex(wl_json value) {
    const std::string digits = string_of(value);
    std::vector<std::uint8_t> bytes(digits.size() / 2);
    for (std::size_t i = 0; i < bytes.size(); i++) {
        const int high = digit_of(digits[2 * i]), low = digit_of(digits[2 * i + 1]);
        if (high < 0 || low < 0)
            throw not_a("hex digits", value);
        bytes[i] = static_cast<std::uint8_t>(high << 4 | low);
    }
    if (digits.size() % 2 != 0)
        throw not_a("hex digits in pairs", value);
    return bytes;
}

std::optional<std::string> text_at(wl_json from, const char* path) {
    const wl_json value = wl_json_find(from, path);
    if (value.at == nullptr)
        return std::nullopt;
    return string_of(value);
}

std::string hex_of(std::span<const std::uint8_t> bytes) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string hex;
    hex.reserve(2 * bytes.size());
    for (const std::uint8_t byte : bytes) {
        hex += digits[byte >> 4];
        hex += digits[byte & 15];
    }
    return hex;
}

std::string quoted(std::string_view text) {
    wl_text written{nullptr, 0, 0};
    wl_put_string(&written, text.data(), text.size());
    std::string out(written.at, written.used);
    std::free(written.at);
    return out;
}

std::string read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream content;
    if (!file || !(content << file.rdbuf()))
        throw std::runtime_error(path + ": " + std::strerror(errno));
    return content.str();
}

std::string suite_folder() {
    const char* folder = std::getenv("CODEC_SUITE");
    if (folder == nullptr)
        throw std::runtime_error("CODEC_SUITE is not set: it is the folder of the codec suite");
    return folder;
}

}  // namespace harness
