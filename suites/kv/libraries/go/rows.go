package kv

import (
	"encoding/binary"
	"fmt"
	"math"
)

const (
	// Integers is the number of bins c0 … c4.
	Integers = 5
	// Doubles is the number of bins d0 … d7.
	Doubles = 8

	packedSize = 8 * (Integers + Doubles)
)

// Row is what is stored under a key.
type Row struct {
	C [Integers]int64
	D [Doubles]float64
}

// Rows are the results of a multi-get, in the order of its keys: nil where there is no record.
type Rows []*Row

// Unpack reads a row as Redis and memcached hold it: 104 bytes, little-endian. An error for any
// other length.
func Unpack[Bytes string | []byte](packed Bytes, row *Row) error {
	if len(packed) != packedSize {
		return fmt.Errorf("a record of %d bytes, not %d", len(packed), packedSize)
	}
	word := func(number int) uint64 {
		return binary.LittleEndian.Uint64([]byte(packed[8*number : 8*number+8]))
	}
	for j := range row.C {
		row.C[j] = int64(word(j))
	}
	for j := range row.D {
		row.D[j] = math.Float64frombits(word(Integers + j))
	}
	return nil
}

// PackedNames are the names of keys in databases without sets.
func PackedNames(set int64, keys []string) ([]string, error) {
	named := make([]string, len(keys))
	for i, key := range keys {
		named[i] = fmt.Sprintf("wirelab:set_%d:%s", set, key)
	}
	return named, nil
}

// PackedRows unpacks what came for so many keys, unless the call has failed; found says whether there
// is a record.
func PackedRows[Bytes string | []byte](
	keys int, at func(key int) (packed Bytes, found bool), err error,
) (Rows, error) {
	if err != nil {
		return nil, err
	}
	rows, content := make(Rows, keys), make([]Row, keys)
	for i := range rows {
		packed, found := at(i)
		if !found {
			continue
		}
		if err := Unpack(packed, &content[i]); err != nil {
			return nil, fmt.Errorf("key %d: %w", i, err)
		}
		rows[i] = &content[i]
	}
	return rows, nil
}

// checksum is the suite's, over the rows and their places.
func (r Rows) checksum() uint64 {
	const prime, absent = 0x100000001B3, math.MaxUint64
	sum := uint64(0)
	for i, row := range r {
		h := uint64(i) + 1
		if row == nil {
			for range Integers + Doubles {
				h = h*prime + absent
			}
		} else {
			for _, value := range row.C {
				h = h*prime + uint64(value)
			}
			for _, value := range row.D {
				h = h*prime + math.Float64bits(value)
			}
		}
		// Odd factors, so that rows in each other's place are another sum.
		sum += (2*uint64(i) + 1) * h
	}
	return sum
}

// rowSummary is what every operation is checked by: cheap, and another one for nearly every mistake.
type rowSummary struct {
	found int
	sumC0 int64
}

func (r Rows) summary() rowSummary {
	var seen rowSummary
	for _, row := range r {
		if row != nil {
			seen.found++
			seen.sumC0 += row.C[0]
		}
	}
	return seen
}
