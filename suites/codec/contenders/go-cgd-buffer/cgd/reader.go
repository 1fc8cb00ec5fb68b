package cgd

import (
	"encoding/binary"
	"math"
)

// Reader takes values off the front of bytes. After an error everything is zero or empty.
type Reader struct {
	rest []byte
	size int
	err  error
}

// NewReader reads encoded, which must not change meanwhile. Nothing that is extracted points
// into it.
func NewReader(encoded []byte) Reader {
	return Reader{rest: encoded, size: len(encoded)}
}

// End is the first error; bytes that are left over are one.
func (r *Reader) End() error {
	if r.err == nil && len(r.rest) > 0 {
		return r.placed(LeftOver)
	}
	return r.err
}

// fail ends the reading: without a rest nothing else is there to extract.
func (r *Reader) fail(reason Error) {
	if r.err == nil {
		r.err = r.placed(reason)
	}
	r.rest = nil
}

func (r *Reader) placed(reason Error) error {
	return &PlacedError{Reason: reason, Before: r.size - len(r.rest)}
}

// ExtractInt8 reads one byte.
func (r *Reader) ExtractInt8() int8 { return int8(r.ExtractUint8()) }

// ExtractUint8 reads one byte.
func (r *Reader) ExtractUint8() uint8 {
	if len(r.rest) < 1 {
		r.fail(Truncated)
		return 0
	}
	v := r.rest[0]
	r.rest = r.rest[1:]
	return v
}

// ExtractBool reads one byte, which must be 0 or 1.
func (r *Reader) ExtractBool() bool {
	v := r.ExtractUint8()
	if v > 1 {
		r.fail(NotBool)
	}
	return v == 1
}

// ExtractInt16 reads two bytes.
func (r *Reader) ExtractInt16() int16 { return int16(r.ExtractUint16()) }

// ExtractUint16 reads two bytes.
func (r *Reader) ExtractUint16() uint16 {
	if len(r.rest) < 2 {
		r.fail(Truncated)
		return 0
	}
	v := binary.LittleEndian.Uint16(r.rest)
	r.rest = r.rest[2:]
	return v
}

// ExtractInt32 reads four bytes.
func (r *Reader) ExtractInt32() int32 { return int32(r.ExtractUint32()) }

// ExtractUint32 reads four bytes.
func (r *Reader) ExtractUint32() uint32 {
	if len(r.rest) < 4 {
		r.fail(Truncated)
		return 0
	}
	v := binary.LittleEndian.Uint32(r.rest)
	r.rest = r.rest[4:]
	return v
}

// ExtractInt64 reads eight bytes.
func (r *Reader) ExtractInt64() int64 { return int64(r.ExtractUint64()) }

// ExtractUint64 reads eight bytes.
func (r *Reader) ExtractUint64() uint64 {
	if len(r.rest) < 8 {
		r.fail(Truncated)
		return 0
	}
	v := binary.LittleEndian.Uint64(r.rest)
	r.rest = r.rest[8:]
	return v
}

// ExtractFloat32 reads four bytes.
func (r *Reader) ExtractFloat32() float32 { return math.Float32frombits(r.ExtractUint32()) }

// ExtractFloat64 reads eight bytes.
func (r *Reader) ExtractFloat64() float64 { return math.Float64frombits(r.ExtractUint64()) }

// Sizes of the smallest elements there are, for [Reader.ExtractCount].
const (
	SmallestString = smallestString
	SmallestList   = countSize
)

// ExtractCount begins a list or map whose elements have at least smallest bytes each. A count that
// promises more than is left is an error, so that it is safe to make room for that many.
func (r *Reader) ExtractCount(smallest int) int {
	count := int(r.ExtractInt32())
	switch {
	case r.err != nil:
		return 0
	case count < 0:
		r.fail(negative(count))
		return 0
	case count > len(r.rest)/smallest:
		r.fail(Truncated)
		return 0
	}
	return count
}

// ExtractInt32s reads a list of integers.
func (r *Reader) ExtractInt32s() []int32 {
	values := make([]int32, r.ExtractCount(4))
	elements := r.rest[:4*len(values)]
	for i := range values {
		values[i] = int32(binary.LittleEndian.Uint32(elements[4*i:]))
	}
	r.rest = r.rest[len(elements):]
	return values
}

// ExtractUint8s reads a list of bytes.
func (r *Reader) ExtractUint8s() []byte {
	values := make([]byte, r.ExtractCount(1))
	copy(values, r.rest)
	r.rest = r.rest[len(values):]
	return values
}

// ExtractStrings reads a list of strings.
func (r *Reader) ExtractStrings() []string {
	values := make([]string, r.ExtractCount(SmallestString))
	for i := range values {
		values[i] = r.ExtractString()
	}
	return values
}

// ExtractString reads a string, whose UTF-16 becomes UTF-8.
func (r *Reader) ExtractString() string {
	count := int(r.ExtractInt32())
	switch {
	case r.err != nil:
		return ""
	case count < 0:
		r.fail(negative(count))
		return ""
	case count == 0:
		r.fail(NoTerminator)
		return ""
	case count > len(r.rest)/unitSize:
		r.fail(Truncated)
		return ""
	}
	end := unitSize * (count - 1)
	units := r.rest[:end]
	if binary.LittleEndian.Uint16(r.rest[end:]) != 0 {
		r.fail(NoTerminator)
		return ""
	}
	r.rest = r.rest[end+unitSize:]
	text, ok := toUTF8(units)
	if !ok {
		r.fail(NotUnicode)
	}
	return text
}

// ExtractOptionalString reads a string, or nil for null.
func (r *Reader) ExtractOptionalString() *string {
	if len(r.rest) >= countSize && int32(binary.LittleEndian.Uint32(r.rest)) == null {
		r.rest = r.rest[countSize:]
		return nil
	}
	text := r.ExtractString()
	return &text
}

func negative(count int) Error {
	if count == null {
		return Null
	}
	return NegativeCount
}
