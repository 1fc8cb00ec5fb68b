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

func (s nativeShape[N]) open(pool Pool[N], fold func(*N) uint32) track {
	return &nativeTrack[N]{pool: pool.Values, codec: s.make(), fold: fold}
}

type nativeTrack[N any] struct {
	pool  []N
	codec NativeCodec[N]
	fold  func(*N) uint32
}

func (t *nativeTrack[N]) size() int {
	return len(t.pool)
}

func (t *nativeTrack[N]) encode(instance int) ([]byte, error) {
	encoded, err := t.codec.Encode(&t.pool[instance])
	return bytes.Clone(encoded), err
}

func (t *nativeTrack[N]) decode(encoded []byte) (func() any, error) {
	value, err := t.codec.Decode(encoded)
	return func() any { return value }, err
}

func (t *nativeTrack[N]) loop(operation string) (loop, error) {
	switch operation {
	case encode:
		return encodeNative(t.pool, t.codec.Encode), nil
	case decode:
		encodings, err := encodeAll(t)
		return decodeNative(encodings, t.codec.Decode, t.fold), err
	case roundTrip:
		return roundTripNative(t.pool, t.codec, t.fold), nil
	case roundTripUnused:
		return roundTripNativeUnused(t.pool, t.codec), nil
	}
	return nil, nil
}

func encodeAll(t track) ([][]byte, error) {
	encodings := make([][]byte, t.size())
	for i := range encodings {
		var err error
		if encodings[i], err = t.encode(i); err != nil {
			return nil, err
		}
	}
	return encodings, nil
}

// The loops below are instantiated for every shape. A codec is called once a round through a
// function value, and nothing else goes through one. What is decoded has a variable that is as old as
// the loop: the fold takes its address, which would otherwise cost an allocation a round.

func encodeNative[N any](pool []N, encode func(*N) ([]byte, error)) loop {
	return func(rounds int) (uint32, error) {
		var sum uint32
		instance := 0
		for range rounds {
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
	return func(rounds int) (uint32, error) {
		var sum uint32
		var err error
		instance := 0
		for range rounds {
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
	return func(rounds int) (uint32, error) {
		var sum uint32
		instance := 0
		for range rounds {
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
	return func(rounds int) (uint32, error) {
		instance := 0
		for range rounds {
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
