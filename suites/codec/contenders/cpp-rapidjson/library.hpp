// RapidJSON, set up as its documentation offers it: what an accessor finds to be of another type
// or missing throws instead of ending the program (or, in a release build, being read anyway).
#pragma once

#include <stdexcept>

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
