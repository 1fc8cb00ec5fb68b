// What a call that threw is called and said.
#ifndef WIRELAB_FAILURE_HPP
#define WIRELAB_FAILURE_HPP

#include <cstdlib>
#include <cxxabi.h>
#include <exception>
#include <memory>
#include <string>
#include <typeinfo>

namespace wirelab {

struct Failure {
    std::string name;  ///< the exception's class
    std::string message;
};

inline std::string readable(const std::type_info& type) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> name(
        abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), &std::free);
    return status == 0 ? name.get() : type.name();
}

/// The exception being handled. Call it in a catch block only.
inline Failure current_failure() {
    try {
        throw;
    } catch (const std::exception& error) {
        return {readable(typeid(error)), error.what()};
    } catch (...) {
        const std::type_info* type = abi::__cxa_current_exception_type();
        return {type == nullptr ? "unknown" : readable(*type), "not a std::exception"};
    }
}

}  // namespace wirelab

#endif
