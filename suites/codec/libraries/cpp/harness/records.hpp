// The record of the scenario `evolution` and what each change makes of it, as structs with strings of
// type String.
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>

namespace harness {

enum class Level : std::int32_t { none, low, high };
enum class WiderLevel : std::int32_t { none, low, high, critical };

template <class String>
struct Records {
    struct Base {
        std::int32_t sensor{};
        String name;
        std::optional<String> note;
        std::int32_t count{};
        Level level{};

        static void each(auto& r, auto visit) {
            visit("sensor", r.sensor), visit("name", r.name), visit("note", r.note);
            visit("count", r.count), visit("level", r.level);
        }
    };

    /// With one more that may be left out.
    struct Added {
        std::int32_t sensor{};
        String name;
        std::optional<String> note;
        std::int32_t count{};
        Level level{};
        std::optional<String> unit;

        static void each(auto& r, auto visit) {
            visit("sensor", r.sensor), visit("name", r.name), visit("note", r.note);
            visit("count", r.count), visit("level", r.level), visit("unit", r.unit);
        }
    };

    /// Without the note.
    struct Removed {
        std::int32_t sensor{};
        String name;
        std::int32_t count{};
        Level level{};

        static void each(auto& r, auto visit) {
            visit("sensor", r.sensor), visit("name", r.name);
            visit("count", r.count), visit("level", r.level);
        }
    };

    /// In another order.
    struct Reordered {
        std::int32_t count{};
        String name;
        std::optional<String> note;
        std::int32_t sensor{};
        Level level{};

        static void each(auto& r, auto visit) {
            visit("count", r.count), visit("name", r.name), visit("note", r.note);
            visit("sensor", r.sensor), visit("level", r.level);
        }
    };

    /// With a title in the place of the name.
    struct Renamed {
        std::int32_t sensor{};
        String title;
        std::optional<String> note;
        std::int32_t count{};
        Level level{};

        static void each(auto& r, auto visit) {
            visit("sensor", r.sensor), visit("title", r.title), visit("note", r.note);
            visit("count", r.count), visit("level", r.level);
        }
    };

    /// With a count of 64 bits.
    struct Widened {
        std::int32_t sensor{};
        String name;
        std::optional<String> note;
        std::int64_t count{};
        Level level{};

        static void each(auto& r, auto visit) { Base::each(r, visit); }
    };

    /// With a count in words.
    struct Retyped {
        std::int32_t sensor{};
        String name;
        std::optional<String> note;
        String count;
        Level level{};

        static void each(auto& r, auto visit) { Base::each(r, visit); }
    };

    /// With the wider enumeration.
    struct Enumeration {
        std::int32_t sensor{};
        String name;
        std::optional<String> note;
        std::int32_t count{};
        WiderLevel level{};

        static void each(auto& r, auto visit) { Base::each(r, visit); }
    };

    /// With one more that must be there.
    struct Required {
        std::int32_t sensor{};
        String name;
        std::optional<String> note;
        std::int32_t count{};
        Level level{};
        String zone;

        static void each(auto& r, auto visit) {
            Base::each(r, visit);
            visit("zone", r.zone);
        }
    };
};

/// A version of the record.
template <class T>
concept versioned = requires(T& value) {
    value.sensor;
    value.level;
};

/// Calls `visit` with name and value of each field, in the order they are written.
template <class Visit>
void fields(versioned auto& record, Visit visit) {
    std::remove_cvref_t<decltype(record)>::each(record, visit);
}

/// A field that may be left out.
template <class T>
concept optional = requires(T& value) {
    value.has_value();
    typename std::remove_cvref_t<T>::value_type;
};

}  // namespace harness
