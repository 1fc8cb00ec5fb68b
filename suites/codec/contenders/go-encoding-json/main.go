// go-encoding-json is the standard library's encoding/json.
package main

import (
	"encoding/json"
	"runtime"
	"strings"

	"wirelab.dev/codec"
	"wirelab.dev/sdk"
)

func main() {
	codec.Main(func(*sdk.Spec) (codec.Contender, error) {
		return codec.Contender{
			Library:   sdk.Named{Name: "encoding/json", Version: strings.TrimPrefix(runtime.Version(), "go")},
			Format:    "json",
			T1:        codec.Native(shape[codec.T1]),
			T2:        codec.Native(shape[codec.T2]),
			T3:        codec.Native(shape[codec.T3]),
			T4:        codec.Native(shape[codec.T4]),
			T5:        codec.Native(shape[codec.T5]),
			Telemetry: codec.Native(shape[codec.Telemetry]),
			Chat:      codec.Native(shape[codec.Chat]),
			Versions:  codec.VersionsOf(json.Marshal, json.Unmarshal),
			Large:     codec.LargeOf(shape[[]byte](), json.NewEncoder, json.NewDecoder),
		}, nil
	})
}

func shape[N any]() codec.NativeCodec[N] {
	return codec.NativeCodec[N]{
		Encode: func(value *N) ([]byte, error) {
			return json.Marshal(value)
		},
		Decode: func(encoded []byte) (value N, err error) {
			err = json.Unmarshal(encoded, &value)
			return value, err
		},
	}
}
