#include "evolution_answers.hpp"

#include "answers.hpp"

#include <algorithm>
#include <array>
#include <sys/resource.h>

namespace harness {

namespace {

constexpr std::array<std::string_view, 4> kLevels = {"none", "low", "high", "critical"};

/// A length that is misread may be gigabytes, which a library makes room for before it looks.
constexpr rlim_t kMostMemory = rlim_t{4} << 30;

void limit_memory() {
    const rlimit limit{kMostMemory, kMostMemory};
    if (setrlimit(RLIMIT_AS, &limit) != 0)
        throw std::runtime_error("the address space cannot be limited");
}

Reading reading_of(wl_json object) {
    Reading reading;
    reading.sensor = integer_of(wl_json_find(object, "sensor"));
    const wl_json count = wl_json_find(object, "count");
    if (raw(count).starts_with('"'))
        reading.words = string_of(count);
    else
        reading.count = integer_of(count);
    const std::string level = string_of(wl_json_find(object, "level"));
    reading.level = static_cast<int>(std::ranges::find(kLevels, level) - kLevels.begin());
    reading.name = text_at(object, "name");
    reading.title = text_at(object, "title");
    reading.note = text_at(object, "note");
    reading.unit = text_at(object, "unit");
    reading.zone = text_at(object, "zone");
    return reading;
}

std::vector<Reading> readings_in(const JsonText& file, const std::string& path) {
    std::vector<Reading> readings;
    each_item(wl_json_find(file.root(), path.c_str()),
              [&](wl_json item) { readings.push_back(reading_of(item)); });
    return readings;
}

std::string neutral(const Reading& reading) {
    std::string members;
    const auto add = [&](std::string_view name, const std::string& value) {
        members += (members.empty() ? "" : ",") + quoted(name) + ":" + value;
    };
    const auto number = [&](std::string_view name, const auto& value) {
        if (value)
            add(name, std::to_string(*value));
    };
    const auto text = [&](std::string_view name, const std::optional<std::string>& value) {
        if (value)
            add(name, quoted(*value));
    };
    number("sensor", reading.sensor);
    number("count", reading.count);
    number("level", reading.level);
    text("count", reading.words);
    text("name", reading.name);
    text("title", reading.title);
    text("note", reading.note);
    text("unit", reading.unit);
    text("zone", reading.zone);
    return "{\"value\":{" + members + "}}";
}

}  // namespace

void evolve(Session& session, const std::string& change, const Versions& versions) {
    limit_memory();
    const std::string path = suite_folder() + "/vectors/evolution.json";
    const JsonText file(read_file(path), path);
    const VersionCodec former = versions("base"), later = versions(change);
    const auto say = [&](const char* operation, std::int64_t tick, auto read) {
        write_answer(session, {"measure", operation, change, tick}, called(read, neutral));
    };
    std::int64_t tick = 0;
    for (const Reading& value : readings_in(file, change + ".old"))
        say("backward", tick++, [&] { return later.decode(former.encode(value)); });
    tick = 0;
    for (const Reading& value : readings_in(file, change + ".new")) {
        say("forward", tick, [&] { return former.decode(later.encode(value)); });
        say("rewrite", tick++, [&] { return later.decode(former.again(later.encode(value))); });
    }
}

}  // namespace harness
