// The record of `evolution` in protoc's classes, whose fields are reached through the library's
// reflection: written and read by name, and handed on with the fields that a class does not know.
#pragma once

#include "evolution.pb.h"

#include <harness/evolution.hpp>
#include <harness/failure.hpp>

namespace versions {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using harness::evolving::member;

inline std::vector<const FieldDescriptor*> fields_of(const Message& message) {
    std::vector<const FieldDescriptor*> fields;
    for (int i = 0; i < message.GetDescriptor()->field_count(); i++)
        fields.push_back(message.GetDescriptor()->field(i));
    return fields;
}

inline void fill(Message& message, const harness::Reading& reading) {
    const google::protobuf::Reflection& reflection = *message.GetReflection();
    for (const FieldDescriptor* field : fields_of(message)) {
        const std::string& name = field->name();
        switch (field->cpp_type()) {
        case FieldDescriptor::CPPTYPE_INT32:
            reflection.SetInt32(&message, field, static_cast<std::int32_t>(
                                                     member<std::int32_t>(reading, name).value()));
            break;
        case FieldDescriptor::CPPTYPE_INT64:
            reflection.SetInt64(&message, field, member<std::int64_t>(reading, name).value());
            break;
        case FieldDescriptor::CPPTYPE_ENUM:
            reflection.SetEnumValue(&message, field, reading.level.value());
            break;
        default:
            if (const auto& text = member<std::string>(reading, name))
                reflection.SetString(&message, field, *text);
        }
    }
}

inline harness::Reading reading_of(const Message& message) {
    const google::protobuf::Reflection& reflection = *message.GetReflection();
    harness::Reading reading;
    for (const FieldDescriptor* field : fields_of(message)) {
        const std::string& name = field->name();
        if (field->has_presence() && !reflection.HasField(message, field))
            continue;
        switch (field->cpp_type()) {
        case FieldDescriptor::CPPTYPE_INT32:
            member<std::int32_t>(reading, name) = reflection.GetInt32(message, field);
            break;
        case FieldDescriptor::CPPTYPE_INT64:
            member<std::int64_t>(reading, name) = reflection.GetInt64(message, field);
            break;
        case FieldDescriptor::CPPTYPE_ENUM:
            reading.level = reflection.GetEnumValue(message, field);
            break;
        default:
            member<std::string>(reading, name) = reflection.GetString(message, field);
        }
    }
    return reading;
}

inline harness::Encoding written(const Message& message) {
    const std::string bytes = message.SerializeAsString();
    return {bytes.begin(), bytes.end()};
}

template <class Version>
Version parsed(harness::Bytes bytes) {
    Version message;
    if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
        throw harness::Rejected("ParseFromArray gave false");
    return message;
}

inline harness::VersionCodec of(const std::string& version) {
    const auto made = []<class Version>() {
        return harness::VersionCodec{
            .encode =
                [](const harness::Reading& reading) {
                    Version message;
                    fill(message, reading);
                    return written(message);
                },
            .decode = [](harness::Bytes bytes) { return reading_of(parsed<Version>(bytes)); },
            .again = [](harness::Bytes bytes) { return written(parsed<Version>(bytes)); },
        };
    };
    HARNESS_VERSIONS(codec::evolution, version, made);
}

}  // namespace versions
