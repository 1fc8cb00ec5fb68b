package codec

import "bytes"

// Native is a shape that the library takes as a native value. Every call of make gives a codec
// with buffers of its own, where the library keeps any.
func Native[N any](make func() NativeCodec[N]) Shape[N] {
	return nativeShape[N]{make}
}

type nativeShape[N any] struct {
	make func() NativeCodec[N]
}

func (s nativeShape[N]) open(pool Pool[N], fold func(*N) uint32, kept bool) pooledShape {
	return &nativePool[N]{
		pool: pool.Values, twins: pool.Twins, wanted: pool.Wanted, wantedTwins: pool.WantedTwins,
		codec: s.make(), fold: fold, kept: kept,
	}
}

type nativePool[N any] struct {
	pool, twins         []N
	wanted, wantedTwins []N
	codec               NativeCodec[N]
	fold                func(*N) uint32
	kept                bool
}

func (t *nativePool[N]) size() int {
	return len(t.pool)
}

func (t *nativePool[N]) encode(instance int) ([]byte, error) {
	return t.encoded(&t.pool[instance])
}

func (t *nativePool[N]) decode(encoded []byte) (func() any, error) {
	value, err := t.codec.Decode(encoded)
	return func() any { return value }, err
}

func (t *nativePool[N]) loop(operation string) (repeated, error) {
	switch operation {
	case encode:
		return repeated{encodeNative(t.pool, t.codec.Encode), t.auditEncode()}, nil
	case decode:
		encodings, err := encodeAll(t.pool, t.encoded)
		if err != nil {
			return repeated{}, err
		}
		audit, err := t.auditDecode(encodings)
		return repeated{decodeNative(encodings, t.codec.Decode, t.fold), audit}, err
	case roundTrip:
		return repeated{roundTripNative(t.pool, t.codec, t.fold), t.auditRoundTrip()}, nil
	case roundTripUnused:
		return repeated{run: roundTripNativeUnused(t.pool, t.codec)}, nil
	}
	return repeated{}, nil
}

func (t *nativePool[N]) auditEncode() func() (uint32, error) {
	return audit[N, []byte]{
		inputs:  t.pool,
		change:  func() { swap(t.pool, t.twins) },
		produce: t.codec.Encode,
		// The fold of bytes sees only some of them.
		look: func(encoded *[]byte, place int) (uint32, error) {
			value, err := t.codec.Decode(*encoded)
			return t.fold(&value) + differs(&value, &t.wantedTwins[place]), err
		},
		kept:  t.kept,
		spoil: func(encoded *[]byte) { clear(*encoded) },
	}.run
}

func (t *nativePool[N]) auditDecode(encodings [][]byte) (func() (uint32, error), error) {
	others, err := encodeAll(t.twins, t.encoded)
	return audit[[]byte, N]{
		inputs:  encodings,
		change:  func() { swapBytes(encodings, others) },
		produce: func(encoded *[]byte) (N, error) { return t.codec.Decode(*encoded) },
		look:    looking(t.fold, t.wantedTwins),
		kept:    t.kept,
		spoil:   spoil[N],
	}.run, err
}

func (t *nativePool[N]) auditRoundTrip() func() (uint32, error) {
	return audit[N, N]{
		inputs: t.pool,
		change: func() { swap(t.pool, t.twins) },
		produce: func(value *N) (N, error) {
			encoded, err := t.codec.Encode(value)
			if err != nil {
				return *value, err
			}
			return t.codec.Decode(encoded)
		},
		look:  looking(t.fold, t.wantedTwins),
		kept:  t.kept,
		spoil: spoil[N],
	}.run
}

// encoded is an encoding that nothing overwrites.
func (t *nativePool[N]) encoded(value *N) ([]byte, error) {
	encoded, err := t.codec.Encode(value)
	return bytes.Clone(encoded), err
}

func encodeAll[N any](values []N, encode func(*N) ([]byte, error)) ([][]byte, error) {
	encodings := make([][]byte, len(values))
	for i := range encodings {
		var err error
		if encodings[i], err = encode(&values[i]); err != nil {
			return nil, err
		}
	}
	return encodings, nil
}

// The loops below are instantiated for every shape. A codec is called once an iteration through a
// function value, and nothing else goes through one. What is decoded has a variable that is as old as
// the loop: the fold takes its address, which would otherwise cost an allocation an iteration.

func encodeNative[N any](pool []N, encode func(*N) ([]byte, error)) loop {
	return func(iterations int) (uint32, error) {
		var sum uint32
		instance := 0
		for range iterations {
			encoded, err := encode(&pool[instance])
			if err != nil {
				return 0, err
			}
			sum += FoldBytes(encoded)
			if instance++; instance == len(pool) {
				instance = 0
			}
		}
		return sum, nil
	}
}

func decodeNative[N any](encodings [][]byte, decode func([]byte) (N, error), fold func(*N) uint32) loop {
	var value N
	return func(iterations int) (uint32, error) {
		var sum uint32
		var err error
		instance := 0
		for range iterations {
			if value, err = decode(encodings[instance]); err != nil {
				return 0, err
			}
			sum += fold(&value)
			if instance++; instance == len(encodings) {
				instance = 0
			}
		}
		return sum, nil
	}
}

func roundTripNative[N any](pool []N, codec NativeCodec[N], fold func(*N) uint32) loop {
	encode, decode := codec.Encode, codec.Decode
	var value N
	return func(iterations int) (uint32, error) {
		var sum uint32
		instance := 0
		for range iterations {
			encoded, err := encode(&pool[instance])
			if err != nil {
				return 0, err
			}
			if value, err = decode(encoded); err != nil {
				return 0, err
			}
			sum += fold(&value)
			if instance++; instance == len(pool) {
				instance = 0
			}
		}
		return sum, nil
	}
}

func roundTripNativeUnused[N any](pool []N, codec NativeCodec[N]) loop {
	encode, decode := codec.Encode, codec.Decode
	return func(iterations int) (uint32, error) {
		instance := 0
		for range iterations {
			encoded, err := encode(&pool[instance])
			if err != nil {
				return 0, err
			}
			if _, err = decode(encoded); err != nil {
				return 0, err
			}
			if instance++; instance == len(pool) {
				instance = 0
			}
		}
		return 0, nil
	}
}
