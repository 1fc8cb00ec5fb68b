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

// slot has what a second knows of an operation.
type slot struct {
	durations *hdrhistogram.Histogram
	// refused is the number of spans that have no duration, because it would be negative.
	refused int64
}

// spans are durations by second and operation.
type spans struct {
	startNS int64
	seconds map[int64]map[string]*slot
}

func newSpans(startNS int64) *spans {
	return &spans{startNS: startNS, seconds: map[int64]map[string]*slot{}}
}

// at is the slot of an operation of a request that was due at intendedNS.
func (s *spans) at(intendedNS int64, operation string) *slot {
	at := max(0, intendedNS-s.startNS) / second
	if s.seconds[at] == nil {
		s.seconds[at] = map[string]*slot{}
	}
	if s.seconds[at][operation] == nil {
		s.seconds[at][operation] = &slot{durations: hdrhistogram.New(lowestNS, highestNS, digits)}
	}
	return s.seconds[at][operation]
}

// add counts a duration of a request that was due at intendedNS. A histogram has none below zero:
// such a one is refused, and false.
func (s *spans) add(intendedNS int64, operation string, ns int64) bool {
	slot := s.at(intendedNS, operation)
	if ns < 0 {
		slot.refused++
		return false
	}
	// Within its bounds, so it is taken.
	_ = slot.durations.RecordValue(min(max(ns, lowestNS), highestNS))
	return true
}

// write gives the lines of a step. A span is its own service and its own response, and one that a
// request did not have is no loss. One that was refused is: it is expected and not received.
func (s *spans) write(file *sdk.Intervals, step string) error {
	for _, at := range slices.Sorted(maps.Keys(s.seconds)) {
		for _, operation := range slices.Sorted(maps.Keys(s.seconds[at])) {
			interval, err := s.seconds[at][operation].interval()
			if err != nil {
				return err
			}
			interval.Second, interval.Operation, interval.Step = at, operation, step
			if err := file.Write(interval); err != nil {
				return err
			}
		}
	}
	return nil
}

// interval has the counts of a slot, and its durations where it has any.
func (s *slot) interval() (sdk.Interval, error) {
	count := s.durations.TotalCount()
	found := sdk.Interval{Counts: map[string]int64{"expected": count + s.refused, "received": count}}
	if count == 0 {
		return found, nil
	}
	text, err := s.durations.Encode(hdrhistogram.V2CompressedEncodingCookieBase)
	found.Service, found.Response = string(text), string(text)
	return found, err
}
