package main

import (
	"maps"
	"slices"

	"wirelab.dev/sdk"
)

// spans are durations by second and operation.
type spans struct {
	seconds *sdk.BySecond[map[string]*sdk.Durations]
}

func newSpans(startNS int64) *spans {
	s := &spans{sdk.NewBySecond(func() map[string]*sdk.Durations { return make(map[string]*sdk.Durations) })}
	s.seconds.StartAt(startNS)
	return s
}

// add counts a duration of a request that was due at intendedNS.
func (s *spans) add(intendedNS int64, operation string, ns int64) {
	operations := s.seconds.At(intendedNS)
	if operations[operation] == nil {
		operations[operation] = &sdk.Durations{}
	}
	operations[operation].Add(ns)
}

// write gives the lines of a step. A span is its own service and its own response, and one that a
// request did not have is no loss: expected is what was received.
func (s *spans) write(file *sdk.Intervals, step string) error {
	for at, operations := range s.seconds.All() {
		for _, operation := range slices.Sorted(maps.Keys(operations)) {
			durations := operations[operation]
			count := durations.Count()
			err := file.Write(sdk.Interval{
				Second: at, Operation: operation, Step: step,
				Counts:  map[string]int64{"expected": count, "received": count},
				Service: durations, Response: durations,
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}
