package kv

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
)

const (
	fields         = 10
	fieldBytes     = 100
	numberDigits   = 12
	sequenceDigits = 12
	headBytes      = numberDigits + 1 + sequenceDigits
	offsets        = 1009
	// nobody is what no write ever put there.
	nobody = -1
)

// FieldNames are those of the fields of a record, where a database names them.
var FieldNames = func() (names [fields]string) {
	for field := range names {
		names[field] = "field" + strconv.Itoa(field)
	}
	return names
}()

// FieldsOf are the fields of a record, unless the call has failed; nil where one of them is not found.
func FieldsOf(at func(field int) (value string, found bool), err error) ([][]byte, error) {
	if err != nil {
		return nil, err
	}
	values := make([][]byte, fields)
	for field := range values {
		value, found := at(field)
		if !found {
			return nil, nil
		}
		values[field] = []byte(value)
	}
	return values, nil
}

// FieldPairs are names and values by turns, from a field on.
func FieldPairs(field int, values ...[]byte) []any {
	pairs := make([]any, 0, 2*len(values))
	for i, value := range values {
		pairs = append(pairs, FieldNames[field+i], value)
	}
	return pairs
}

// Joined is a record as one value, where a database knows no fields.
func Joined(values [][]byte) []byte { return bytes.Join(values, nil) }

// Parted are the fields of a record that is one value.
func Parted(record []byte) [][]byte {
	return slices.Collect(slices.Chunk(record, fieldBytes))
}

// letters fill what is written.
var letters = func() (filler [offsets + fieldBytes - headBytes]byte) {
	for i := range filler {
		filler[i] = 'a' + byte(mix(uint64(i))%26)
	}
	return filler
}()

// nameOfUser is the key of a record: numbers are hashed, so that neighbours in order are strangers.
func nameOfUser(record int64) string { return fmt.Sprintf("user%020d", mix(uint64(record))) }

// valueOf is what the write with that sequence number puts into a field; 0: the insert.
func valueOf(record int64, field int, sequence int64) []byte {
	value := make([]byte, 0, fieldBytes)
	value = fmt.Appendf(value, "%0*d%d%0*d", numberDigits, record, field, sequenceDigits, sequence)
	offset := (record*31 + int64(field)*7 + sequence) % offsets
	return append(value, letters[offset:offset+fieldBytes-headBytes]...)
}

// sequenceOf is the sequence number of the write of this field; nobody where no write is of what it
// holds. Of what the first records were loaded with, a client knows the head alone.
func sequenceOf(content []byte, record int64, field int, loaded int64) int64 {
	if len(content) != fieldBytes {
		return nobody
	}
	sequence, err := strconv.ParseInt(string(content[numberDigits+1:headBytes]), 10, 64)
	if err != nil || sequence < 0 {
		return nobody
	}
	known := fieldBytes
	if sequence == 0 && record < loaded {
		known = headBytes
	}
	if !bytes.Equal(content[:known], valueOf(record, field, sequence)[:known]) {
		return nobody
	}
	return sequence
}
