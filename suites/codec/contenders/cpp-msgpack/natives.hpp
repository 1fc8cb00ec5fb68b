// The suite's structs as msgpack-cxx knows them: its adaptors, the way it documents for types that
// are somebody else's. A struct is a map with its fields' names.
#pragma once

#include <harness/shapes.hpp>
#include <msgpack.hpp>

#include <string_view>
#include <type_traits>

namespace natives {

/// Names the fields of a struct, in the order they are written.
template <class Visit>
void fields(auto& r, Visit visit)
    requires requires { r.uc; }
{
    visit("c", r.c), visit("uc", r.uc), visit("i16", r.i16), visit("u16", r.u16);
    visit("i32", r.i32), visit("u32", r.u32), visit("i64", r.i64), visit("u64", r.u64);
    visit("f", r.f), visit("d", r.d);
}

template <class Visit>
void fields(auto& r, Visit visit)
    requires requires { r.s8; }
{
    visit("s1", r.s1), visit("s2", r.s2), visit("s3", r.s3), visit("s4", r.s4);
    visit("s5", r.s5), visit("s6", r.s6), visit("s7", r.s7), visit("s8", r.s8);
}

template <class Visit>
void fields(auto& r, Visit visit)
    requires requires { r.quality; }
{
    visit("time", r.time), visit("value", r.value), visit("quality", r.quality);
}

template <class Visit>
void fields(auto& r, Visit visit)
    requires requires { r.points; } && (!requires { r.color; })
{
    visit("points", r.points);
}

template <class Visit>
void fields(auto& r, Visit visit)
    requires requires { r.active; }
{
    visit("id", r.id), visit("name", r.name), visit("active", r.active);
}

template <class Visit>
void fields(auto& r, Visit visit)
    requires requires { r.x; }
{
    visit("x", r.x), visit("y", r.y);
}

template <class Visit>
void fields(auto& r, Visit visit)
    requires requires { r.color; }
{
    visit("color", r.color), visit("width", r.width), visit("points", r.points);
}

template <class Visit>
void fields(auto& r, Visit visit)
    requires requires { r.mentions; }
{
    visit("id", r.id), visit("sent", r.sent), visit("board", r.board), visit("author", r.author);
    visit("text", r.text), visit("mentions", r.mentions), visit("strokes", r.strokes);
}

template <class T>
concept record = requires(T& value) { fields(value, [](const char*, auto&) {}); };

template <record T>
constexpr std::uint32_t field_count() {
    std::uint32_t count = 0;
    T value;
    fields(value, [&](const char*, auto&) { count++; });
    return count;
}

inline bool is_named(const msgpack::object& key, std::string_view name) {
    return key.type == msgpack::type::STR
        && std::string_view(key.via.str.ptr, key.via.str.size) == name;
}

/// The member of a map after the one found last, where equal writers put it; else wherever it is.
class Members {
public:
    explicit Members(const msgpack::object& map) {
        if (map.type != msgpack::type::MAP)
            throw msgpack::type_error();
        begin_ = next_ = map.via.map.ptr;
        end_ = begin_ + map.via.map.size;
    }
    const msgpack::object& named(std::string_view name) {
        if (next_ != end_ && is_named(next_->key, name))
            return (next_++)->val;
        for (const msgpack::object_kv* at = begin_; at != end_; ++at)
            if (is_named(at->key, name)) {
                next_ = at + 1;
                return at->val;
            }
        throw msgpack::type_error();
    }

private:
    const msgpack::object_kv *begin_, *next_, *end_;
};

}  // namespace natives

namespace msgpack {
MSGPACK_API_VERSION_NAMESPACE(MSGPACK_DEFAULT_API_NS) {
namespace adaptor {

template <natives::record T>
struct pack<T> {
    template <class Stream>
    packer<Stream>& operator()(packer<Stream>& to, const T& value) const {
        static const std::uint32_t count = natives::field_count<T>();
        to.pack_map(count);
        natives::fields(value, [&](std::string_view name, const auto& field) {
            const auto size = static_cast<std::uint32_t>(name.size());
            to.pack_str(size).pack_str_body(name.data(), size);
            to.pack(field);
        });
        return to;
    }
};

template <natives::record T>
struct convert<T> {
    const msgpack::object& operator()(const msgpack::object& from, T& value) const {
        natives::Members members(from);
        natives::fields(value, [&](std::string_view name, auto& field) {
            members.named(name).convert(field);
        });
        return from;
    }
};

}  // namespace adaptor
}
}  // namespace msgpack
