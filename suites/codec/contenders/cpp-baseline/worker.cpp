// What a codec cannot be faster than in this harness: a copy of the bytes, a look at the value.

#include <harness/worker.hpp>

int main() {
    harness::Worker worker;
    return harness::run_baseline(worker, {.library = "libstdc++",
                                          .version = std::to_string(_GLIBCXX_RELEASE),
                                          .format = "none",
                                          .strings = "utf-8"});
}
