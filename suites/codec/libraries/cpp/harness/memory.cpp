#include "memory.hpp"

#include <fstream>
#include <malloc.h>
#include <stdexcept>
#include <string>

namespace harness {

namespace {

constexpr std::int64_t kKilobyte = 1024;

std::int64_t resident(const std::string& name) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(name + ":"))
            return kKilobyte * std::stoll(line.substr(name.size() + 1));
    throw std::runtime_error("the status of the process has no " + name);
}

}  // namespace

std::optional<MemoryUse> memory_of(const std::function<void()>& call) {
    malloc_trim(0);
    // It makes what is resident now the peak.
    std::ofstream forget("/proc/self/clear_refs");
    if (!(forget << "5" << std::flush)) {
        call();
        return std::nullopt;
    }
    const std::int64_t before = resident("VmRSS");
    call();
    return MemoryUse{before, resident("VmHWM")};
}

}  // namespace harness
