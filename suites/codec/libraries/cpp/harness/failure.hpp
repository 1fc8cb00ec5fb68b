// For codecs of libraries that say no by a return value.
#pragma once

#include <stdexcept>

namespace harness {

/// Refusal of a library.
class Rejected : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace harness
