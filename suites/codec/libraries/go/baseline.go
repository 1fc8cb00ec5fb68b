package codec

import "errors"

const (
	copiedAtLeast   = 8
	copiedShare     = 4 // of the text: what it is divided by
	preparedModulus = 251
	notOfBaselines  = "a baseline neither encodes nor decodes"
)

// FormatNone is the format of a baseline, which answers nothing.
const FormatNone = "none"

// Baseline is a shape that is not written at all, but copied as bytes and touched as it is there.
func Baseline[N any]() Shape[N] {
	return baselineShape[N]{}
}

type baselineShape[N any] struct{}

func (baselineShape[N]) open(pool Pool[N], fold func(*N) uint32, _ bool) pooledShape {
	lengths := make([]int, len(pool.Texts))
	longest := 0
	for i, text := range pool.Texts {
		lengths[i] = max(copiedAtLeast, text/copiedShare)
		longest = max(longest, lengths[i])
	}
	prepared := make([]byte, longest)
	for k := range prepared {
		prepared[k] = byte(k % preparedModulus)
	}
	return &baselinePool[N]{pool: pool.Values, lengths: lengths, prepared: prepared, fold: fold}
}

type baselinePool[N any] struct {
	pool     []N
	lengths  []int
	prepared []byte
	fold     func(*N) uint32
}

func (t *baselinePool[N]) size() int {
	return len(t.pool)
}

func (t *baselinePool[N]) encode(int) ([]byte, error) {
	return nil, errors.New(notOfBaselines)
}

func (t *baselinePool[N]) decode([]byte) (func() any, error) {
	return nil, errors.New(notOfBaselines)
}

func (t *baselinePool[N]) loop(operation string) (repeated, error) {
	switch operation {
	case copyBytes:
		return repeated{run: copies(t.prepared, t.lengths)}, nil
	case touch:
		return repeated{run: touches(t.pool, t.fold)}, nil
	}
	return repeated{}, nil
}

// copies writes into a buffer that is kept, so that it costs what moving the bytes costs.
func copies(prepared []byte, lengths []int) loop {
	kept := make([]byte, len(prepared))
	return func(iterations int) (uint32, error) {
		var sum uint32
		instance := 0
		for range iterations {
			n := copy(kept, prepared[:lengths[instance]])
			sum += FoldBytes(kept[:n])
			if instance++; instance == len(lengths) {
				instance = 0
			}
		}
		return sum, nil
	}
}

func touches[N any](pool []N, fold func(*N) uint32) loop {
	return func(iterations int) (uint32, error) {
		var sum uint32
		instance := 0
		for range iterations {
			sum += fold(&pool[instance])
			if instance++; instance == len(pool) {
				instance = 0
			}
		}
		return sum, nil
	}
}
