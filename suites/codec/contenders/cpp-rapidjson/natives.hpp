// Native values, written with RapidJSON's Writer, for which no document is built; and read out of a
// document.
#pragma once

#include <harness/fields.hpp>
#include <harness/records.hpp>

#include <stdexcept>
#include <string>
#include <type_traits>

// As its documentation offers it: what an accessor finds to be of another type or missing throws
// instead of ending the program (or, in a release build, being read anyway).
#define RAPIDJSON_ASSERT(condition)                     \
    do {                                                \
        if (!(condition))                               \
            throw std::invalid_argument(#condition);    \
    } while (false)
#define RAPIDJSON_NOEXCEPT_ASSERT(condition) static_cast<void>(condition)
#define RAPIDJSON_HAS_STDSTRING 1

#include <rapidjson/document.h>
#include <rapidjson/error/en.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

using rapidjson::Value;
using Writer = rapidjson::Writer<rapidjson::StringBuffer>;

/// The Writer's function for each kind of value.
template <class T>
void write(Writer& w, const T& v) {
    if constexpr (harness::record<T>) {
        w.StartObject();
        harness::fields(v, [&](const char* name, const auto& field) {
            if constexpr (harness::optional<decltype(field)>) {
                if (field) {
                    w.Key(name);
                    write(w, *field);
                }
            } else {
                w.Key(name);
                write(w, field);
            }
        });
        w.EndObject();
    } else if constexpr (std::is_enum_v<T>) {
        write(w, static_cast<std::underlying_type_t<T>>(v));
    } else if constexpr (std::is_same_v<T, bool>) {
        w.Bool(v);
    } else if constexpr (std::is_floating_point_v<T>) {
        w.Double(v);
    } else if constexpr (std::is_same_v<T, std::int64_t>) {
        w.Int64(v);
    } else if constexpr (std::is_same_v<T, std::uint64_t>) {
        w.Uint64(v);
    } else if constexpr (std::is_integral_v<T>) {
        if constexpr (std::is_signed_v<T>)
            w.Int(v);
        else
            w.Uint(v);
    } else if constexpr (std::is_same_v<T, std::string>) {
        w.String(v);
    } else if constexpr (requires { typename T::mapped_type; }) {
        w.StartObject();
        for (const auto& [key, its] : v) {
            w.Key(key.data(), static_cast<rapidjson::SizeType>(key.size()));
            write(w, its);
        }
        w.EndObject();
    } else {
        w.StartArray();
        for (const auto& its : v)
            write(w, its);
        w.EndArray();
    }
}

/// The document's function for each kind of number.
template <class Number>
Number number(const Value& m) {
    if constexpr (std::is_same_v<Number, bool>)
        return m.GetBool();
    else if constexpr (std::is_floating_point_v<Number>)
        return static_cast<Number>(m.GetDouble());
    else if constexpr (std::is_same_v<Number, std::int64_t>)
        return m.GetInt64();
    else if constexpr (std::is_same_v<Number, std::uint64_t>)
        return m.GetUint64();
    else if constexpr (std::is_signed_v<Number>)
        return static_cast<Number>(m.GetInt());
    else
        return static_cast<Number>(m.GetUint());
}

template <class T>
void take(T& v, const Value& m) {
    if constexpr (harness::record<T>) {
        harness::fields(v, [&](const char* name, auto& field) {
            if constexpr (harness::optional<decltype(field)>) {
                if (m.HasMember(name))
                    take(field.emplace(), m[name]);
            } else {
                take(field, m[name]);
            }
        });
    } else if constexpr (std::is_enum_v<T>) {
        v = static_cast<T>(m.GetInt());
    } else if constexpr (std::is_arithmetic_v<T>) {
        v = number<T>(m);
    } else if constexpr (std::is_same_v<T, std::string>) {
        v.assign(m.GetString(), m.GetStringLength());
    } else if constexpr (requires { typename T::mapped_type; }) {
        for (const auto& [key, its] : m.GetObject())
            take(v[std::string(key.GetString(), key.GetStringLength())], its);
    } else {
        v.clear();
        v.reserve(m.GetArray().Size());
        for (const Value& its : m.GetArray())
            take(v.emplace_back(), its);
    }
}
