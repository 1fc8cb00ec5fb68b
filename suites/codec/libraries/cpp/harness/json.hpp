// JSON by way of the C SDK: a text that was read, its values as natives' parts, and hex. For the
// harness's own sources only: contenders never see the SDK's names.
#pragma once

#include <wirelab/json.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

/// A JSON text and its root; it stays where it is as long as its values are used.
class JsonText {
public:
    /// Throws std::runtime_error with `name` and the offset of what is not JSON.
    JsonText(std::string text, const std::string& name);
    JsonText(const JsonText&) = delete;
    JsonText& operator=(const JsonText&) = delete;
    wl_json root() const { return root_; }

private:
    std::string text_;
    wl_json root_{};
};

/// Calls `take(item)` for each item of an array, `take(item, key)` of an object.
template <class Take>
void each_item(wl_json array, Take take) {
    for (wl_json item{nullptr, nullptr}; wl_json_next(array, nullptr, &item);)
        take(item);
}

template <class Take>
void each_member(wl_json object, Take take) {
    for (wl_json key{nullptr, nullptr}, item{nullptr, nullptr}; wl_json_next(object, &key, &item);)
        take(key, item);
}

/// Each throws std::runtime_error for a value of another kind.
std::string string_of(wl_json value);
std::int64_t integer_of(wl_json value);
double double_of(wl_json value);
bool bool_of(wl_json value);
std::vector<std::uint8_t> bytes_of_hex(wl_json value);

/// The text of a value as it stands there.
std::string_view raw(wl_json value);

/// The string at `path`, or nothing.
std::optional<std::string> text_at(wl_json from, const char* path);

std::string hex_of(std::span<const std::uint8_t> bytes);
std::string quoted(std::string_view text);

/// Throws std::runtime_error with the path and the system's word.
std::string read_file(const std::string& path);

/// The folder of the suite: the environment's CODEC_SUITE.
std::string suite_folder();

}  // namespace harness
