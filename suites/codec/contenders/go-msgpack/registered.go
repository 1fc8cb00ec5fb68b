package main

import (
	"reflect"
	"slices"

	"github.com/vmihailenco/msgpack/v5"
	"wirelab.dev/codec"
)

// fewKeys are sorted without taking memory for them.
const fewKeys = 16

// register teaches the library two types that it does not handle as needed.
func register() {
	msgpack.Register(codec.T5(nil), encodeSorted, nil)
	msgpack.Register(float32(0), nil, decodeFloat32)
}

// encodeSorted writes the keys in order. The library sorts only maps of strings, of bools and of
// interfaces; others come in Go's random order.
func encodeSorted(encoder *msgpack.Encoder, value reflect.Value) error {
	lists := value.Interface().(codec.T5)
	var few [fewKeys]string
	keys := few[:0]
	for key := range lists {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	if err := encoder.EncodeMapLen(len(keys)); err != nil {
		return err
	}
	for _, key := range keys {
		if err := encoder.EncodeString(key); err != nil {
			return err
		}
		if err := encodeInts(encoder, lists[key]); err != nil {
			return err
		}
	}
	return nil
}

func encodeInts(encoder *msgpack.Encoder, values []int32) error {
	if err := encoder.EncodeArrayLen(len(values)); err != nil {
		return err
	}
	for _, value := range values {
		if err := encoder.EncodeInt(int64(value)); err != nil {
			return err
		}
	}
	return nil
}

// decodeFloat32 takes a float64 as well: languages without a float32 write nothing else, and the
// library would refuse it.
func decodeFloat32(decoder *msgpack.Decoder, value reflect.Value) error {
	float, err := decoder.DecodeFloat64()
	value.SetFloat(float)
	return err
}
