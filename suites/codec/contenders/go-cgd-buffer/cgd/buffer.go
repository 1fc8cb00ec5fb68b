// Package cgd writes and reads the wire format of CGD::buffer. It was written from the format's
// description and shares no code with the original.
//
// Values follow each other without a header, tags or padding, little-endian. A string is the
// number of its UTF-16 units and one more (i32), the units, and a unit that is zero; a list or map
// is the number of its elements (i32) and the elements.
//
//	var out cgd.Buffer
//	out.AppendInt32(123310)
//	out.AppendString("이것 좀 테스트하게 해주세요.")
//	bytes, err := out.Bytes()
//
//	in := cgd.NewReader(bytes)
//	number, text := in.ExtractInt32(), in.ExtractString()
//	err = in.End()
//
// The first error is kept, so that only the end has to be looked at.
package cgd

import (
	"encoding/binary"
	"math"
	"slices"
)

const (
	countSize = 4
	unitSize  = 2
	// smallestString is an empty one: a count and a terminator.
	smallestString = countSize + unitSize
	longestCount   = math.MaxInt32
	// null stands in the place of a count.
	null = -1
)

// Buffer is what is written. Its zero value is empty and grows; see [NewBuffer].
type Buffer struct {
	bytes []byte
	err   error
}

// NewBuffer has room for capacity bytes and grows beyond.
func NewBuffer(capacity int) Buffer {
	return Buffer{bytes: make([]byte, 0, capacity)}
}

// Bytes is what was written, or the first error.
func (b *Buffer) Bytes() ([]byte, error) {
	return b.bytes, b.err
}

// AppendInt8 writes one byte.
func (b *Buffer) AppendInt8(v int8) { b.bytes = append(b.bytes, byte(v)) }

// AppendUint8 writes one byte.
func (b *Buffer) AppendUint8(v uint8) { b.bytes = append(b.bytes, v) }

// AppendBool writes one byte, 0 or 1.
func (b *Buffer) AppendBool(v bool) {
	var one byte
	if v {
		one = 1
	}
	b.bytes = append(b.bytes, one)
}

// AppendInt16 writes two bytes.
func (b *Buffer) AppendInt16(v int16) { b.AppendUint16(uint16(v)) }

// AppendUint16 writes two bytes.
func (b *Buffer) AppendUint16(v uint16) { b.bytes = binary.LittleEndian.AppendUint16(b.bytes, v) }

// AppendInt32 writes four bytes.
func (b *Buffer) AppendInt32(v int32) { b.AppendUint32(uint32(v)) }

// AppendUint32 writes four bytes.
func (b *Buffer) AppendUint32(v uint32) { b.bytes = binary.LittleEndian.AppendUint32(b.bytes, v) }

// AppendInt64 writes eight bytes.
func (b *Buffer) AppendInt64(v int64) { b.AppendUint64(uint64(v)) }

// AppendUint64 writes eight bytes.
func (b *Buffer) AppendUint64(v uint64) { b.bytes = binary.LittleEndian.AppendUint64(b.bytes, v) }

// AppendFloat32 writes four bytes.
func (b *Buffer) AppendFloat32(v float32) { b.AppendUint32(math.Float32bits(v)) }

// AppendFloat64 writes eight bytes.
func (b *Buffer) AppendFloat64(v float64) { b.AppendUint64(math.Float64bits(v)) }

// AppendCount begins a list or map of n elements, which have to follow.
func (b *Buffer) AppendCount(n int) {
	if n > longestCount {
		b.fail(TooLong)
	}
	b.AppendInt32(int32(n))
}

// AppendInt32s writes a list of integers.
func (b *Buffer) AppendInt32s(values []int32) {
	b.AppendCount(len(values))
	b.bytes = slices.Grow(b.bytes, 4*len(values))
	for _, value := range values {
		b.AppendInt32(value)
	}
}

// AppendUint8s writes a list of bytes.
func (b *Buffer) AppendUint8s(values []byte) {
	b.AppendCount(len(values))
	b.bytes = append(b.bytes, values...)
}

// AppendStrings writes a list of strings.
func (b *Buffer) AppendStrings(values []string) {
	b.AppendCount(len(values))
	for _, value := range values {
		b.AppendString(value)
	}
}

// AppendString writes a string, whose UTF-8 becomes UTF-16. What is not UTF-8 is an error.
func (b *Buffer) AppendString(s string) {
	if len(s) >= longestCount {
		b.fail(TooLong)
		return
	}
	start := len(b.bytes)
	// No string has more units than bytes.
	b.bytes = slices.Grow(b.bytes, smallestString+unitSize*len(s))
	room := b.bytes[start : start+smallestString+unitSize*len(s)]
	units, ok := putUTF16(room[countSize:], s)
	if !ok {
		b.fail(NotUnicode)
		return
	}
	binary.LittleEndian.PutUint32(room, uint32(units+1))
	end := countSize + unitSize*units
	binary.LittleEndian.PutUint16(room[end:], 0)
	b.bytes = b.bytes[:start+end+unitSize]
}

// AppendOptionalString writes a string, or null for nil.
func (b *Buffer) AppendOptionalString(s *string) {
	if s == nil {
		b.AppendInt32(null)
		return
	}
	b.AppendString(*s)
}

func (b *Buffer) fail(reason Error) {
	if b.err == nil {
		b.err = reason
	}
}
