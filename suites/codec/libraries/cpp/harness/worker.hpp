// The program: `harness::Worker` reads the spec, `run` or `run_baseline` does what it asks.
#pragma once

#include "baseline.hpp"
#include "codec_subject.hpp"
#include "evolution.hpp"
#include "failure.hpp"
#include "large.hpp"

#include <functional>

namespace harness {

struct Session;

/// Facts that a worker tells of itself.
struct About {
    std::string library, version;
    std::string format;   ///< README.md's, "none" for a baseline
    std::string strings;  ///< units of the native strings: "utf-8" or "utf-16"
    /// Reads whatever it is given as if it were sound, as its documentation says of this entry
    /// point. Such a codec is not given inputs that are not.
    bool trusts_input = false;
};

struct Shape {
    std::string_view name;
    std::function<std::unique_ptr<Subject>(std::string_view name)> open;
};

class Worker {
public:
    /// Reads the spec; one that makes no sense ends the process.
    Worker();
    ~Worker();

    /// A string of the manifest's [tuning]; `fallback` where there is none.
    std::string tuning(const std::string& name, const std::string& fallback);

    /// Takes what answers the scenario `evolution`, for who has that capability. Before `serve`.
    void evolving(Versions versions) { versions_ = std::move(versions); }

    /// Takes what the scenario `large` needs, for who has that capability. Before `serve`.
    void large(Large large) { large_ = std::move(large); }

    /// Serves until done and gives the exit code.
    int serve(const About& about, const std::vector<std::string_view>& operations,
              const std::vector<Shape>& shapes);

private:
    std::unique_ptr<Session> session_;
    Versions versions_;
    Large large_;
};

template <template <class> class SubjectOf, class String>
std::vector<Shape> all_shapes() {
    const auto open = []<class Subject>(std::type_identity<Subject>) {
        return [](std::string_view name) -> std::unique_ptr<harness::Subject> {
            return std::make_unique<Subject>(name);
        };
    };
    return {
        {"T1", open(std::type_identity<SubjectOf<T1>>{})},
        {"T2", open(std::type_identity<SubjectOf<T2<String>>>{})},
        {"T3", open(std::type_identity<SubjectOf<T3>>{})},
        {"T4", open(std::type_identity<SubjectOf<T4<String>>>{})},
        {"T5", open(std::type_identity<SubjectOf<T5<String>>>{})},
        {"telemetry", open(std::type_identity<SubjectOf<Telemetry>>{})},
        {"chat", open(std::type_identity<SubjectOf<Chat<String>>>{})},
    };
}

/// A contender: `Codec<Native>` for every shape, with strings of type `String`.
template <template <class> class Codec, class String = std::string>
struct Contender {
    template <class Native>
    using Subject = CodecSubject<Codec<Native>>;

    static int run(Worker& worker, const About& about) {
        return worker.serve(about, operations_of<Codec<T1>>(), all_shapes<Subject, String>());
    }
};

template <template <class> class Codec, class String = std::string>
int run(Worker& worker, const About& about) {
    return Contender<Codec, String>::run(worker, about);
}

inline int run_baseline(Worker& worker, const About& about) {
    return worker.serve(about, {"copy", "touch"}, all_shapes<BaselineSubject, std::string>());
}

}  // namespace harness
