package sdk

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"math"
	"math/bits"
)

// What the contract bounds the durations of the interval file by.
const (
	lowestNS  = 1_000
	highestNS = 120_000_000_000
	digits    = 3
)

const (
	// Bits below the lowest duration.
	unitBits = 9
	// Bits of half of a bucket: 2,048 parts for three digits.
	halfBits = 10

	histogramCookie  = 0x1c849313
	compressedCookie = 0x1c849314
)

// Durations are a distribution of durations as the interval file has it: an HdrHistogram between
// 1 us and 120 s with three significant digits. The zero value is empty. It is not for several
// goroutines.
type Durations struct {
	// Up to the last place that something was counted at.
	counts []int64
}

// Add counts a duration; what is out of bounds counts as the nearest bound. The lowest only says how
// fine the places are: the first one is of what takes less than half of it, as in every SDK.
func (d *Durations) Add(ns int64) {
	units := min(max(ns, 0), highestNS) >> unitBits
	wider := max(0, bits.Len64(uint64(units))-halfBits-1)
	at := wider<<halfBits + int(units>>wider)
	if missing := at + 1 - len(d.counts); missing > 0 {
		d.counts = append(d.counts, make([]int64, missing)...)
	}
	d.counts[at]++
}

// Count is how many were counted.
func (d *Durations) Count() int64 {
	total := int64(0)
	for _, count := range d.counts {
		total += count
	}
	return total
}

// orNone is nil where nothing was counted: that is left out.
func (d *Durations) orNone() *Durations {
	if d == nil || len(d.counts) == 0 {
		return nil
	}
	return d
}

// MarshalText gives the encoding V2 of HdrHistograms, compressed, in base64.
func (d *Durations) MarshalText() ([]byte, error) {
	var packed bytes.Buffer
	// Into memory, which takes it.
	compressing := zlib.NewWriter(&packed)
	_, _ = compressing.Write(d.payload())
	_ = compressing.Close()
	encoded := binary.BigEndian.AppendUint32(nil, compressedCookie)
	encoded = binary.BigEndian.AppendUint32(encoded, uint32(packed.Len()))
	return base64.StdEncoding.AppendEncode(nil, append(encoded, packed.Bytes()...)), nil
}

// payload is the header and the counts; a run of counts that are zero is one negative number.
func (d *Durations) payload() []byte {
	var numbers []byte
	for at := 0; at < len(d.counts); at++ {
		first := at
		for d.counts[at] == 0 {
			at++
		}
		switch zeros := int64(at - first); {
		case zeros == 1:
			// It stands for itself, as HdrHistogram for Go writes it.
			numbers = binary.AppendVarint(numbers, 0)
		case zeros > 1:
			numbers = binary.AppendVarint(numbers, -zeros)
		}
		numbers = binary.AppendVarint(numbers, d.counts[at])
	}
	var payload []byte
	for _, field := range []uint32{histogramCookie, uint32(len(numbers)), 0, digits} {
		payload = binary.BigEndian.AppendUint32(payload, field)
	}
	for _, field := range []uint64{lowestNS, highestNS, math.Float64bits(1)} {
		payload = binary.BigEndian.AppendUint64(payload, field)
	}
	return append(payload, numbers...)
}
