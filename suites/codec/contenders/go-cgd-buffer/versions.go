package main

import (
	"wirelab.dev/codec"
	"wirelab.dev/codec/go-cgd-buffer/cgd"
)

// field is one of the record: fields follow each other, and nothing but their order tells them
// apart. An enumeration is the int32 that it is in C++ and C#.
type field struct {
	name string
	kind kind
}

type kind struct {
	put  func(*cgd.Buffer, any)
	take func(*cgd.Reader) any
}

var (
	int32s = kind{
		func(out *cgd.Buffer, value any) { out.AppendInt32(int32(value.(int64))) },
		func(in *cgd.Reader) any { return int64(in.ExtractInt32()) },
	}
	int64s = kind{
		func(out *cgd.Buffer, value any) { out.AppendInt64(value.(int64)) },
		func(in *cgd.Reader) any { return in.ExtractInt64() },
	}
	strings = kind{
		func(out *cgd.Buffer, value any) { out.AppendString(value.(string)) },
		func(in *cgd.Reader) any { return in.ExtractString() },
	}
	optional = kind{
		func(out *cgd.Buffer, value any) {
			if text, is := value.(string); is {
				out.AppendOptionalString(&text)
			} else {
				out.AppendOptionalString(nil)
			}
		},
		func(in *cgd.Reader) any {
			if text := in.ExtractOptionalString(); text != nil {
				return *text
			}
			return nil
		},
	}
)

var (
	sensor = field{"sensor", int32s}
	name   = field{"name", strings}
	note   = field{"note", optional}
	count  = field{"count", int32s}
	level  = field{"level", int32s}
)

func versions() codec.Versions {
	base := record(sensor, name, note, count, level)
	return codec.Versions{
		"base":        base,
		"added":       record(sensor, name, note, count, level, field{"unit", optional}),
		"removed":     record(sensor, name, count, level),
		"reordered":   record(count, name, note, sensor, level),
		"renamed":     record(sensor, field{"title", strings}, note, count, level),
		"widened":     record(sensor, name, note, field{"count", int64s}, level),
		"retyped":     record(sensor, name, note, field{"count", strings}, level),
		"enumeration": base,
		"required":    record(sensor, name, note, count, level, field{"zone", strings}),
	}
}

func record(fields ...field) codec.Version {
	write := func(reading codec.Reading) ([]byte, error) {
		var out cgd.Buffer
		for _, one := range fields {
			one.kind.put(&out, reading[one.name])
		}
		return out.Bytes()
	}
	read := func(encoded []byte) (codec.Reading, error) {
		in := cgd.NewReader(encoded)
		reading := codec.Reading{}
		for _, one := range fields {
			reading[one.name] = one.kind.take(&in)
		}
		return reading, in.End()
	}
	return codec.Version{
		Write: write,
		Read:  func(encoded []byte) (any, error) { return read(encoded) },
		Again: func(encoded []byte) ([]byte, error) {
			reading, err := read(encoded)
			if err != nil {
				return nil, err
			}
			return write(reading)
		},
	}
}
