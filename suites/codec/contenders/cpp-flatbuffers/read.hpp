// What a FlatBuffer says: a field that is not there is a null pointer, and stands for its default.
#pragma once

#include "shapes_generated.h"

#include <string_view>

namespace reading {

inline std::string_view text(const flatbuffers::String* text) {
    return text == nullptr ? std::string_view() : text->string_view();
}

/// The elements of a vector of T, for a range-based loop; none where there is no vector.
template <class T>
class All {
public:
    explicit All(const flatbuffers::Vector<T>* list) : list_(list) {}
    std::size_t size() const { return list_ == nullptr ? 0 : list_->size(); }
    auto begin() const { return list_ == nullptr ? Iterator() : list_->begin(); }
    auto end() const { return list_ == nullptr ? Iterator() : list_->end(); }

private:
    using Iterator = typename flatbuffers::Vector<T>::const_iterator;
    const flatbuffers::Vector<T>* list_;
};

}  // namespace reading
