// go-cbor is github.com/fxamacker/cbor.
package main

import (
	"github.com/fxamacker/cbor/v2"
	"wirelab.dev/codec"
	"wirelab.dev/sdk"
)

// Sorted keys: a map of Go has a random order.
var encoding = cbor.EncOptions{Sort: cbor.SortBytewiseLexical}

func main() {
	codec.Main(func(*sdk.Spec) (codec.Contender, error) {
		encoder, err := encoding.EncMode()
		if err != nil {
			return codec.Contender{}, err
		}
		return codec.Contender{
			Library:   sdk.Module("fxamacker/cbor", "github.com/fxamacker/cbor/v2"),
			Format:    "cbor",
			T1:        shape[codec.T1](encoder),
			T2:        shape[codec.T2](encoder),
			T3:        shape[codec.T3](encoder),
			T4:        shape[codec.T4](encoder),
			T5:        shape[codec.T5](encoder),
			Telemetry: shape[codec.Telemetry](encoder),
			Chat:      shape[codec.Chat](encoder),
			Versions:  codec.VersionsOf(encoder.Marshal, cbor.Unmarshal),
			Large:     codec.LargeOf(native[[]byte](encoder), encoder.NewEncoder, cbor.NewDecoder),
		}, nil
	})
}

func shape[N any](encoder cbor.EncMode) codec.Shape[N] {
	return codec.Native(func() codec.NativeCodec[N] { return native[N](encoder) })
}

func native[N any](encoder cbor.EncMode) codec.NativeCodec[N] {
	return codec.NativeCodec[N]{
		Encode: func(value *N) ([]byte, error) {
			return encoder.Marshal(value)
		},
		Decode: func(encoded []byte) (value N, err error) {
			err = cbor.Unmarshal(encoded, &value)
			return value, err
		},
	}
}
