#include "pool.hpp"

#include "json.hpp"
#include "texts.hpp"

#include <type_traits>

namespace harness {

namespace {

// ---- The fields of each record, named as in JSON ---------------------------------------------

template <class Record, class Visit>
void fields(Record& r, Visit visit)
    requires std::is_same_v<std::remove_const_t<Record>, T1>
{
    visit("c", r.c), visit("uc", r.uc), visit("i16", r.i16), visit("u16", r.u16);
    visit("i32", r.i32), visit("u32", r.u32), visit("i64", r.i64), visit("u64", r.u64);
    visit("f", r.f), visit("d", r.d);
}

template <class Record, class Visit>
void fields(Record& r, Visit visit)
    requires requires { r.s8; }
{
    visit("s1", r.s1), visit("s2", r.s2), visit("s3", r.s3), visit("s4", r.s4);
    visit("s5", r.s5), visit("s6", r.s6), visit("s7", r.s7), visit("s8", r.s8);
}

template <class Record, class Visit>
void fields(Record& r, Visit visit)
    requires requires { r.quality; }
{
    visit("time", r.time), visit("value", r.value), visit("quality", r.quality);
}

template <class Record, class Visit>
void fields(Record& r, Visit visit)
    requires std::is_same_v<std::remove_const_t<Record>, Telemetry>
{
    visit("points", r.points);
}

template <class Record, class Visit>
void fields(Record& r, Visit visit)
    requires requires { r.active; }
{
    visit("id", r.id), visit("name", r.name), visit("active", r.active);
}

template <class Record, class Visit>
void fields(Record& r, Visit visit)
    requires requires { r.x; }
{
    visit("x", r.x), visit("y", r.y);
}

template <class Record, class Visit>
void fields(Record& r, Visit visit)
    requires requires { r.color; }
{
    visit("color", r.color), visit("width", r.width), visit("points", r.points);
}

template <class Record, class Visit>
void fields(Record& r, Visit visit)
    requires requires { r.mentions; }
{
    visit("id", r.id), visit("sent", r.sent), visit("board", r.board), visit("author", r.author);
    visit("text", r.text), visit("mentions", r.mentions), visit("strokes", r.strokes);
}

/// A JSON string. A surrogate without its other half is written as an escape.
std::string quoted_utf16(const std::u16string& units) {
    std::string out = "\"";
    for (std::size_t i = 0; i < units.size(); i++) {
        std::uint32_t point = units[i];
        const bool pair = point >> 10 == 0x36 && i + 1 < units.size() && units[i + 1] >> 10 == 0x37;
        if (pair)
            point = 0x10000 + ((point & 0x3FF) << 10 | (units[++i] & 0x3FFu));
        if (point >> 11 == 0x1B || point < 0x20 || point == '"' || point == '\\') {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(point));
            out += escape;
            continue;
        }
        char bytes[4];
        out.append(bytes, wl__encode(point, bytes));
    }
    return out + '"';
}

// ---- Reading ----------------------------------------------------------------------------------

template <class Number>
    requires std::is_arithmetic_v<Number>
void read(wl_json from, Number& to) {
    if constexpr (std::is_same_v<Number, bool>)
        to = bool_of(from);
    else if constexpr (std::is_floating_point_v<Number>)
        to = static_cast<Number>(double_of(from));
    else
        to = static_cast<Number>(integer_of(from));
}

void read(wl_json from, std::string& to) { to = string_of(from); }
void read(wl_json from, std::u16string& to) { to = utf16_of(string_of(from)); }

template <class Item>
void read(wl_json from, std::vector<Item>& to);
template <class Key, class Item>
void read(wl_json from, std::map<Key, Item>& to);

template <class Record>
    requires std::is_class_v<Record>
void read(wl_json from, Record& to) {
    fields(to, [&](const char* name, auto& field) { read(wl_json_find(from, name), field); });
}

template <class Item>
void read(wl_json from, std::vector<Item>& to) {
    each_item(from, [&](wl_json item) { read(item, to.emplace_back()); });
}

template <class Key, class Item>
void read(wl_json from, std::map<Key, Item>& to) {
    each_member(from, [&](wl_json name, wl_json item) {
        Key key;
        read(name, key);
        read(item, to[key]);
    });
}

// ---- Writing ----------------------------------------------------------------------------------

template <class Number>
    requires std::is_arithmetic_v<Number>
void write(std::string& out, const Number& number) {
    if constexpr (std::is_same_v<Number, bool>) {
        out += number ? "true" : "false";
    } else if constexpr (std::is_floating_point_v<Number>) {
        wl_text digits{nullptr, 0, 0};
        wl_put_double(&digits, number);
        out.append(digits.at, digits.used);
        std::free(digits.at);
    } else {
        out += std::to_string(number);
    }
}

void write(std::string& out, const std::string& text) { out += quoted(text); }
void write(std::string& out, const std::u16string& text) { out += quoted_utf16(text); }

template <class Item>
void write(std::string& out, const std::vector<Item>& items);
template <class Key, class Item>
void write(std::string& out, const std::map<Key, Item>& items);

template <class Record>
    requires std::is_class_v<Record>
void write(std::string& out, const Record& record) {
    char before = '{';
    fields(record, [&](const char* name, const auto& field) {
        out += before, out += quoted(name), out += ':';
        write(out, field);
        before = ',';
    });
    out += '}';
}

template <class Item>
void write(std::string& out, const std::vector<Item>& items) {
    out += '[';
    for (std::size_t i = 0; i < items.size(); i++) {
        if (i > 0)
            out += ',';
        write(out, items[i]);
    }
    out += ']';
}

template <class Key, class Item>
void write(std::string& out, const std::map<Key, Item>& items) {
    char before = '{';
    for (const auto& [key, item] : items) {
        out += before;
        write(out, key);
        out += ':';
        write(out, item);
        before = ',';
    }
    out += items.empty() ? "{}" : "}";
}

std::string path_of(std::string_view shape) {
    return suite_folder() + "/shapes/" + std::string(shape) + ".json";
}

}  // namespace

template <class Native>
std::vector<Native> load_pool(std::string_view shape) {
    const std::string path = path_of(shape);
    const JsonText text(read_file(path), path);
    std::vector<Native> pool;
    read(wl_json_find(text.root(), "pool"), pool);
    return pool;
}

template <class Native>
std::string neutral(const Native& value) {
    std::string out;
    write(out, value);
    return out;
}

std::vector<std::size_t> text_lengths(std::string_view shape) {
    const std::string path = path_of(shape);
    const JsonText text(read_file(path), path);
    std::vector<std::size_t> lengths;
    each_item(wl_json_find(text.root(), "pool"),
              [&](wl_json instance) { lengths.push_back(raw(instance).size()); });
    return lengths;
}

#define CODEC_HARNESS_COMPILE(...)                                            \
    template std::vector<__VA_ARGS__> load_pool<__VA_ARGS__>(std::string_view); \
    template std::string neutral<__VA_ARGS__>(const __VA_ARGS__&);

#define CODEC_HARNESS_COMPILE_STRINGS(String) \
    CODEC_HARNESS_COMPILE(T2<String>)         \
    CODEC_HARNESS_COMPILE(T4<String>)         \
    CODEC_HARNESS_COMPILE(T5<String>)         \
    CODEC_HARNESS_COMPILE(Chat<String>)

CODEC_HARNESS_COMPILE(T1)
CODEC_HARNESS_COMPILE(T3)
CODEC_HARNESS_COMPILE(Telemetry)
CODEC_HARNESS_COMPILE_STRINGS(std::string)
CODEC_HARNESS_COMPILE_STRINGS(std::u16string)

}  // namespace harness
