package codec

import (
	"encoding/json"
	"reflect"
)

// Reading is the record of the scenario evolution, by the names of its fields: strings, int64s,
// and the number of the level. A field that is not there may be left out.
type Reading map[string]any

// Version is a program that knows the record as it was, or as one change made it.
type Version struct {
	Write func(Reading) ([]byte, error)
	// Read gives anything that encoding/json can tell by the names of the fields.
	Read func(encoded []byte) (any, error)
	// Again writes what was read.
	Again func(encoded []byte) ([]byte, error)
}

// Versions has the record before every change as "base", and after each by the change's name.
type Versions map[string]Version

// Level is how urgent a reading is: none, low, high and, after one change, critical. Go holds an
// enumeration to nothing, so that the wider one has the same type.
type Level int32

// Base is a reading; its note may be left out.
type Base struct {
	Sensor int32   `json:"sensor" msgpack:"sensor"`
	Name   string  `json:"name" msgpack:"name"`
	Note   *string `json:"note,omitempty" msgpack:"note,omitempty"`
	Count  int32   `json:"count" msgpack:"count"`
	Level  Level   `json:"level" msgpack:"level"`
}

// Added has one more that may be left out.
type Added struct {
	Sensor int32   `json:"sensor" msgpack:"sensor"`
	Name   string  `json:"name" msgpack:"name"`
	Note   *string `json:"note,omitempty" msgpack:"note,omitempty"`
	Count  int32   `json:"count" msgpack:"count"`
	Level  Level   `json:"level" msgpack:"level"`
	Unit   *string `json:"unit,omitempty" msgpack:"unit,omitempty"`
}

// Removed has no note.
type Removed struct {
	Sensor int32  `json:"sensor" msgpack:"sensor"`
	Name   string `json:"name" msgpack:"name"`
	Count  int32  `json:"count" msgpack:"count"`
	Level  Level  `json:"level" msgpack:"level"`
}

// Reordered has its fields in another order.
type Reordered struct {
	Count  int32   `json:"count" msgpack:"count"`
	Name   string  `json:"name" msgpack:"name"`
	Note   *string `json:"note,omitempty" msgpack:"note,omitempty"`
	Sensor int32   `json:"sensor" msgpack:"sensor"`
	Level  Level   `json:"level" msgpack:"level"`
}

// Renamed has a title in the place of the name.
type Renamed struct {
	Sensor int32   `json:"sensor" msgpack:"sensor"`
	Title  string  `json:"title" msgpack:"title"`
	Note   *string `json:"note,omitempty" msgpack:"note,omitempty"`
	Count  int32   `json:"count" msgpack:"count"`
	Level  Level   `json:"level" msgpack:"level"`
}

// Widened has a count of 64 bits.
type Widened struct {
	Sensor int32   `json:"sensor" msgpack:"sensor"`
	Name   string  `json:"name" msgpack:"name"`
	Note   *string `json:"note,omitempty" msgpack:"note,omitempty"`
	Count  int64   `json:"count" msgpack:"count"`
	Level  Level   `json:"level" msgpack:"level"`
}

// Retyped has a count in words.
type Retyped struct {
	Sensor int32   `json:"sensor" msgpack:"sensor"`
	Name   string  `json:"name" msgpack:"name"`
	Note   *string `json:"note,omitempty" msgpack:"note,omitempty"`
	Count  string  `json:"count" msgpack:"count"`
	Level  Level   `json:"level" msgpack:"level"`
}

// Required has one more that must be there, which no struct of Go can say.
type Required struct {
	Sensor int32   `json:"sensor" msgpack:"sensor"`
	Name   string  `json:"name" msgpack:"name"`
	Note   *string `json:"note,omitempty" msgpack:"note,omitempty"`
	Count  int32   `json:"count" msgpack:"count"`
	Level  Level   `json:"level" msgpack:"level"`
	Zone   string  `json:"zone" msgpack:"zone"`
}

var records = map[string]reflect.Type{
	"base":        reflect.TypeFor[Base](),
	"added":       reflect.TypeFor[Added](),
	"removed":     reflect.TypeFor[Removed](),
	"reordered":   reflect.TypeFor[Reordered](),
	"renamed":     reflect.TypeFor[Renamed](),
	"widened":     reflect.TypeFor[Widened](),
	"retyped":     reflect.TypeFor[Retyped](),
	"enumeration": reflect.TypeFor[Base](),
	"required":    reflect.TypeFor[Required](),
}

// VersionsOf are those of a library that writes and reads any struct.
func VersionsOf(marshal func(any) ([]byte, error), unmarshal func([]byte, any) error) Versions {
	versions := Versions{}
	for name, record := range records {
		read := func(encoded []byte) (any, error) {
			value := reflect.New(record).Interface()
			err := unmarshal(encoded, value)
			return value, err
		}
		versions[name] = Version{
			Write: func(reading Reading) ([]byte, error) {
				value := reflect.New(record).Interface()
				if err := reading.into(value); err != nil {
					return nil, err
				}
				return marshal(value)
			},
			Read: read,
			Again: func(encoded []byte) ([]byte, error) {
				value, err := read(encoded)
				if err != nil {
					return nil, err
				}
				return marshal(value)
			},
		}
	}
	return versions
}

func (r Reading) into(value any) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, value)
}
