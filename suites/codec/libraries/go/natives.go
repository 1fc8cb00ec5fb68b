package codec

// T1 is ten primitives.
type T1 struct {
	C   int8    `json:"c" msgpack:"c"`
	UC  uint8   `json:"uc" msgpack:"uc"`
	I16 int16   `json:"i16" msgpack:"i16"`
	U16 uint16  `json:"u16" msgpack:"u16"`
	I32 int32   `json:"i32" msgpack:"i32"`
	U32 uint32  `json:"u32" msgpack:"u32"`
	I64 int64   `json:"i64" msgpack:"i64"`
	U64 uint64  `json:"u64" msgpack:"u64"`
	F   float32 `json:"f" msgpack:"f"`
	D   float64 `json:"d" msgpack:"d"`
}

// T2 is eight strings.
type T2 struct {
	S1 string `json:"s1" msgpack:"s1"`
	S2 string `json:"s2" msgpack:"s2"`
	S3 string `json:"s3" msgpack:"s3"`
	S4 string `json:"s4" msgpack:"s4"`
	S5 string `json:"s5" msgpack:"s5"`
	S6 string `json:"s6" msgpack:"s6"`
	S7 string `json:"s7" msgpack:"s7"`
	S8 string `json:"s8" msgpack:"s8"`
}

// The shapes that are a bare list or map.
type (
	T3 = []int32
	T4 = []string
	T5 = map[string][]int32
)

// Telemetry is a thousand points of a plant's tag.
type Telemetry struct {
	Points []Point `json:"points" msgpack:"points"`
}

// Point is one value of a tag.
type Point struct {
	Time    int64   `json:"time" msgpack:"time"`
	Value   float64 `json:"value" msgpack:"value"`
	Quality int32   `json:"quality" msgpack:"quality"`
}

// Chat is a message of a shared whiteboard.
type Chat struct {
	ID       string   `json:"id" msgpack:"id"`
	Sent     int64    `json:"sent" msgpack:"sent"`
	Board    string   `json:"board" msgpack:"board"`
	Author   Author   `json:"author" msgpack:"author"`
	Text     string   `json:"text" msgpack:"text"`
	Mentions []string `json:"mentions" msgpack:"mentions"`
	Strokes  []Stroke `json:"strokes" msgpack:"strokes"`
}

// Author is who wrote a chat message.
type Author struct {
	ID     uint32 `json:"id" msgpack:"id"`
	Name   string `json:"name" msgpack:"name"`
	Active bool   `json:"active" msgpack:"active"`
}

// Stroke is a line drawn on the board.
type Stroke struct {
	Color  string     `json:"color" msgpack:"color"`
	Width  float64    `json:"width" msgpack:"width"`
	Points []Position `json:"points" msgpack:"points"`
}

// Position is a place on the board.
type Position struct {
	X int32 `json:"x" msgpack:"x"`
	Y int32 `json:"y" msgpack:"y"`
}
