// What a call that threw is called and said.
#pragma once

#include <stdexcept>
#include <string>

namespace harness {

/// For codecs of libraries that say no by a return value: what said no.
class Rejected : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct Failure {
    std::string name;  ///< the exception's class
    std::string message;
};

/// The exception being handled. Call it in a catch block only.
Failure current_failure();

}  // namespace harness
