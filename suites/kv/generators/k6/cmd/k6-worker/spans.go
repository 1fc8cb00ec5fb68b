package main

import (
	"maps"
	"slices"

	"github.com/HdrHistogram/hdrhistogram-go"

	"wirelab.dev/sdk"
)

// Bounds that the contract sets to histograms, in nanoseconds.
const (
	lowestNS  = 1_000
	highestNS = 120_000_000_000
	digits    = 3
)

// spans are durations by second and operation.
type spans struct {
	startNS int64
	seconds map[int64]map[string]*hdrhistogram.Histogram
}

func newSpans(startNS int64) *spans {
	return &spans{startNS: startNS, seconds: map[int64]map[string]*hdrhistogram.Histogram{}}
}

// add counts a duration of a request that was due at intendedNS.
func (s *spans) add(intendedNS int64, operation string, ns int64) {
	at := max(0, intendedNS-s.startNS) / second
	if s.seconds[at] == nil {
		s.seconds[at] = map[string]*hdrhistogram.Histogram{}
	}
	if s.seconds[at][operation] == nil {
		s.seconds[at][operation] = hdrhistogram.New(lowestNS, highestNS, digits)
	}
	// Within its bounds, so it is taken.
	_ = s.seconds[at][operation].RecordValue(min(max(ns, lowestNS), highestNS))
}

// write gives the lines of a step. A span is its own service and its own response, and one that a
// request did not have is no loss: expected is what was received.
func (s *spans) write(file *sdk.Intervals, step string) error {
	for _, at := range slices.Sorted(maps.Keys(s.seconds)) {
		for _, operation := range slices.Sorted(maps.Keys(s.seconds[at])) {
			histogram := s.seconds[at][operation]
			text, err := histogram.Encode(hdrhistogram.V2CompressedEncodingCookieBase)
			if err != nil {
				return err
			}
			count := histogram.TotalCount()
			err = file.Write(sdk.Interval{
				Second: at, Operation: operation, Step: step,
				Counts:  map[string]int64{"expected": count, "received": count},
				Service: string(text), Response: string(text),
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}
