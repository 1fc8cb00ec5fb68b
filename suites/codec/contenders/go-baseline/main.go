// go-baseline copies bytes and touches native values: what no codec can be faster than.
package main

import (
	"runtime"
	"strings"

	"wirelab.dev/codec"
	"wirelab.dev/sdk"
)

func main() {
	codec.Main(func(*sdk.Spec) (codec.Contender, error) {
		return codec.Contender{
			Library:   sdk.Named{Name: "Go", Version: strings.TrimPrefix(runtime.Version(), "go")},
			Format:    codec.FormatNone,
			Kept:      true,
			T1:        codec.Baseline[codec.T1](),
			T2:        codec.Baseline[codec.T2](),
			T3:        codec.Baseline[codec.T3](),
			T4:        codec.Baseline[codec.T4](),
			T5:        codec.Baseline[codec.T5](),
			Telemetry: codec.Baseline[codec.Telemetry](),
			Chat:      codec.Baseline[codec.Chat](),
		}, nil
	})
}
