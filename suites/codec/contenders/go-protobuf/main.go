// go-protobuf is google.golang.org/protobuf with generated messages.
package main

import (
	"wirelab.dev/codec"
	"wirelab.dev/sdk"
)

func main() {
	codec.Main(func(spec *sdk.Spec) (codec.Contender, error) {
		reuse, err := sdk.Parameter(spec, "reuse", false)
		if err != nil {
			return codec.Contender{}, err
		}
		return codec.Contender{
			Library: sdk.Named{
				Name: "protobuf", Version: sdk.ModuleVersion("google.golang.org/protobuf"),
			},
			Format:    "protobuf",
			Kept:      reuse,
			T1:        shape(reuse, fillT1, fromT1, foldT1),
			T2:        shape(reuse, fillT2, fromT2, foldT2),
			T3:        shape(reuse, fillT3, fromT3, foldT3),
			T4:        shape(reuse, fillT4, fromT4, foldT4),
			T5:        shape(reuse, fillT5, fromT5, foldT5),
			Telemetry: shape(reuse, fillTelemetry, fromTelemetry, foldTelemetry),
			Chat:      shape(reuse, fillChat, fromChat, foldChat),
			Versions:  versions(),
			Large:     large(),
		}, nil
	})
}
