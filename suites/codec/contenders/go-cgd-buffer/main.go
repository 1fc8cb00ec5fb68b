// go-cgd-buffer uses the suite's own codec of the CGD::buffer wire format.
package main

import (
	"wirelab.dev/codec"
	"wirelab.dev/codec/go-cgd-buffer/cgd"
	"wirelab.dev/sdk"
)

// Room that new buffers have, in bytes. As with the original, who writes knows best how much it
// will be; what is longer grows the buffer.
const (
	sizeT1      = 1 + 1 + 2 + 2 + 4 + 4 + 8 + 8 + 4 + 8
	roomStrings = 512
	roomMap     = 256
	roomChat    = 768
)

// Sizes of what is written, in bytes.
const (
	sizeCount      = 4
	sizeInt        = 4
	sizePoint      = 8 + 8 + 4
	sizePosition   = 4 + 4
	smallestStroke = cgd.SmallestString + 8 + cgd.SmallestList
)

// fewKeys are sorted without taking memory for them.
const fewKeys = 16

func main() {
	codec.Main(func(*sdk.Spec) (codec.Contender, error) {
		return codec.Contender{
			Library:   sdk.Named{Name: "cgd", Version: "0.1.0"},
			Format:    "cgd",
			T1:        native(encodeT1, decodeT1),
			T2:        native(encodeT2, decodeT2),
			T3:        native(encodeT3, decodeT3),
			T4:        native(encodeT4, decodeT4),
			T5:        native(encodeT5, decodeT5),
			Telemetry: native(encodeTelemetry, decodeTelemetry),
			Chat:      native(encodeChat, decodeChat),
			Versions:  versions(),
			Large:     large(),
		}, nil
	})
}

func native[N any](encode func(*N) ([]byte, error), decode func([]byte) (N, error)) codec.Shape[N] {
	return codec.Native(func() codec.NativeCodec[N] {
		return codec.NativeCodec[N]{Encode: encode, Decode: decode}
	})
}
