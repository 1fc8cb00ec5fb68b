// The suite's structs as msgpack-cxx knows them: its adaptors, the way it documents for types that
// are somebody else's. A struct is a map with its fields' names.
#pragma once

#include <harness/fields.hpp>
#include <harness/records.hpp>
#include <msgpack.hpp>

#include <string_view>

namespace natives {

template <harness::record T>
constexpr std::uint32_t field_count() {
    std::uint32_t count = 0;
    T value;
    harness::fields(value, [&](const char*, auto&) { count++; });
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
    const msgpack::object* find(std::string_view name) {
        if (next_ != end_ && is_named(next_->key, name))
            return &(next_++)->val;
        for (const msgpack::object_kv* at = begin_; at != end_; ++at)
            if (is_named(at->key, name)) {
                next_ = at + 1;
                return &at->val;
            }
        return nullptr;
    }
    const msgpack::object& named(std::string_view name) {
        if (const msgpack::object* found = find(name))
            return *found;
        throw msgpack::type_error();
    }

private:
    const msgpack::object_kv *begin_, *next_, *end_;
};

}  // namespace natives

namespace msgpack {
MSGPACK_API_VERSION_NAMESPACE(MSGPACK_DEFAULT_API_NS) {
namespace adaptor {

template <harness::record T>
struct pack<T> {
    template <class Stream>
    packer<Stream>& operator()(packer<Stream>& to, const T& value) const {
        static const std::uint32_t count = natives::field_count<T>();
        to.pack_map(count);
        harness::fields(value, [&](std::string_view name, const auto& field) {
            const auto size = static_cast<std::uint32_t>(name.size());
            to.pack_str(size).pack_str_body(name.data(), size);
            to.pack(field);
        });
        return to;
    }
};

template <harness::record T>
struct convert<T> {
    const msgpack::object& operator()(const msgpack::object& from, T& value) const {
        natives::Members members(from);
        harness::fields(value, [&](std::string_view name, auto& field) {
            if constexpr (harness::optional<decltype(field)>) {
                if (const msgpack::object* found = members.find(name))
                    found->convert(field);
            } else {
                members.named(name).convert(field);
            }
        });
        return from;
    }
};

}  // namespace adaptor
}
}  // namespace msgpack

MSGPACK_ADD_ENUM(harness::Level);
MSGPACK_ADD_ENUM(harness::WiderLevel);
