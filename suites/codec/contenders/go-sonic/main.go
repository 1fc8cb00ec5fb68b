// go-sonic is github.com/bytedance/sonic, the JSON library that compiles itself for every type.
package main

import (
	"errors"

	"github.com/bytedance/sonic"
	"wirelab.dev/codec"
	"wirelab.dev/sdk"
)

const module = "github.com/bytedance/sonic"

// api checks UTF-8, copies strings out of the input and sorts maps, like encoding/json. The
// default checks and sorts nothing.
var api = sonic.ConfigStd

func main() {
	codec.Main(func(*sdk.Spec) (codec.Contender, error) {
		// Where sonic has no compiler it calls encoding/json, which is a contender of its own.
		if sonic.APIKind != sonic.UseSonicJSON {
			return codec.Contender{}, errors.New("sonic does not support this processor or this Go")
		}
		return codec.Contender{
			Library:   sdk.Named{Name: "sonic", Version: sdk.ModuleVersion(module)},
			Format:    "json",
			T1:        codec.Native(shape[codec.T1]),
			T2:        codec.Native(shape[codec.T2]),
			T3:        codec.Native(shape[codec.T3]),
			T4:        codec.Native(shape[codec.T4]),
			T5:        codec.Native(shape[codec.T5]),
			Telemetry: codec.Native(shape[codec.Telemetry]),
			Chat:      codec.Native(shape[codec.Chat]),
			Versions:  codec.VersionsOf(api.Marshal, api.Unmarshal),
			Large:     codec.LargeOf(shape[[]byte](), api.NewEncoder, api.NewDecoder),
		}, nil
	})
}

func shape[N any]() codec.NativeCodec[N] {
	return codec.NativeCodec[N]{
		Encode: func(value *N) ([]byte, error) {
			return api.Marshal(value)
		},
		Decode: func(encoded []byte) (value N, err error) {
			err = api.Unmarshal(encoded, &value)
			return value, err
		},
	}
}
