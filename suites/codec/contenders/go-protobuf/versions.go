package main

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"wirelab.dev/codec"
	"wirelab.dev/codec/go-protobuf/evolution"
)

func versions() codec.Versions {
	return codec.Versions{
		"base":        version(&evolution.Base{}),
		"added":       version(&evolution.Added{}),
		"removed":     version(&evolution.Removed{}),
		"reordered":   version(&evolution.Reordered{}),
		"renamed":     version(&evolution.Renamed{}),
		"widened":     version(&evolution.Widened{}),
		"retyped":     version(&evolution.Retyped{}),
		"enumeration": version(&evolution.Enumeration{}),
		"required":    version(&evolution.Required{}),
	}
}

// version is that of a generated message. What is written again is the message that was read, so
// that it keeps the fields which its code does not know.
func version(of proto.Message) codec.Version {
	read := func(encoded []byte) (proto.Message, error) {
		message := of.ProtoReflect().New().Interface()
		return message, proto.Unmarshal(encoded, message)
	}
	return codec.Version{
		Write: func(reading codec.Reading) ([]byte, error) {
			message := of.ProtoReflect().New()
			for _, field := range fieldsOf(message) {
				if value, has := reading[string(field.Name())]; has {
					message.Set(field, valueOf(field, value))
				}
			}
			return proto.Marshal(message.Interface())
		},
		Read: func(encoded []byte) (any, error) {
			message, err := read(encoded)
			if err != nil {
				return nil, err
			}
			return readingOf(message.ProtoReflect()), nil
		},
		Again: func(encoded []byte) ([]byte, error) {
			message, err := read(encoded)
			if err != nil {
				return nil, err
			}
			return proto.Marshal(message)
		},
	}
}

func fieldsOf(message protoreflect.Message) []protoreflect.FieldDescriptor {
	known := message.Descriptor().Fields()
	fields := make([]protoreflect.FieldDescriptor, known.Len())
	for i := range fields {
		fields[i] = known.Get(i)
	}
	return fields
}

// valueOf is a field's value in the field's type.
func valueOf(field protoreflect.FieldDescriptor, value any) protoreflect.Value {
	number, _ := value.(int64)
	switch field.Kind() {
	case protoreflect.Int32Kind:
		return protoreflect.ValueOfInt32(int32(number))
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(protoreflect.EnumNumber(number))
	}
	return protoreflect.ValueOf(value)
}

// readingOf has all fields but those that were left out.
func readingOf(message protoreflect.Message) codec.Reading {
	reading := codec.Reading{}
	for _, field := range fieldsOf(message) {
		if field.HasPresence() && !message.Has(field) {
			continue
		}
		reading[string(field.Name())] = message.Get(field).Interface()
	}
	return reading
}
