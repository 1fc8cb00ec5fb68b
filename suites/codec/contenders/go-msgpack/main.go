// go-msgpack is github.com/vmihailenco/msgpack.
package main

import (
	"bytes"

	"github.com/vmihailenco/msgpack/v5"
	"wirelab.dev/codec"
	"wirelab.dev/sdk"
)

func main() {
	codec.Main(func(*sdk.Spec) (codec.Contender, error) {
		register()
		return codec.Contender{
			Library:   sdk.Module("msgpack", "github.com/vmihailenco/msgpack/v5"),
			Format:    "msgpack",
			T1:        codec.Native(shape[codec.T1]),
			T2:        codec.Native(shape[codec.T2]),
			T3:        codec.Native(shape[codec.T3]),
			T4:        codec.Native(shape[codec.T4]),
			T5:        codec.Native(shape[codec.T5]),
			Telemetry: codec.Native(shape[codec.Telemetry]),
			Chat:      codec.Native(shape[codec.Chat]),
			Versions:  codec.VersionsOf(marshal, msgpack.Unmarshal),
			Large:     codec.LargeOf(shape[[]byte](), msgpack.NewEncoder, msgpack.NewDecoder),
		}, nil
	})
}

func shape[N any]() codec.NativeCodec[N] {
	return codec.NativeCodec[N]{
		Encode: func(value *N) ([]byte, error) { return marshal(value) },
		Decode: func(encoded []byte) (value N, err error) {
			err = msgpack.Unmarshal(encoded, &value)
			return value, err
		},
	}
}

// marshal is msgpack.Marshal with integers as short as they can be: an int64 would always take
// nine bytes.
func marshal(value any) ([]byte, error) {
	encoder := msgpack.GetEncoder()
	defer msgpack.PutEncoder(encoder)
	var encoded bytes.Buffer
	encoder.Reset(&encoded)
	encoder.UseCompactInts(true)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return encoded.Bytes(), nil
}
