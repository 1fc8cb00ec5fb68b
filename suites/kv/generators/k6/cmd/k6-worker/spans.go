package main

import (
	"maps"
	"slices"

	"wirelab.dev/sdk"
)

// spanCounts has what a second knows of an operation.
type spanCounts struct {
	durations sdk.Durations
	// refused is the number of spans that have no duration, because it would be negative.
	refused int64
}

// spans are durations by second and operation.
type spans struct {
	seconds *sdk.BySecond[map[string]*spanCounts]
}

func newSpans(startNS int64) *spans {
	s := &spans{sdk.NewBySecond(func() map[string]*spanCounts { return make(map[string]*spanCounts) })}
	s.seconds.StartAt(startNS)
	return s
}

// add counts a duration of a request that was due at intendedNS. A histogram has none below zero:
// such a one is refused, and false.
func (s *spans) add(intendedNS int64, operation string, ns int64) bool {
	operations := s.seconds.At(intendedNS)
	if operations[operation] == nil {
		operations[operation] = &spanCounts{}
	}
	own := operations[operation]
	if ns < 0 {
		own.refused++
		return false
	}
	own.durations.Add(ns)
	return true
}

// write gives the lines of a step.
func (s *spans) write(file *sdk.Intervals, step string) error {
	for _, interval := range s.intervals(step) {
		if err := file.Write(interval); err != nil {
			return err
		}
	}
	return nil
}

// intervals has a line for each second and operation. A span is its own service and its own response,
// and one that a request did not have is no loss. One that was refused is: it is expected and not
// received.
func (s *spans) intervals(step string) []sdk.Interval {
	var found []sdk.Interval
	for at, operations := range s.seconds.All() {
		for _, operation := range slices.Sorted(maps.Keys(operations)) {
			own := operations[operation]
			count := own.durations.Count()
			found = append(found, sdk.Interval{
				Second: at, Operation: operation, Step: step,
				Counts:  map[string]int64{"expected": count + own.refused, "received": count},
				Service: &own.durations, Response: &own.durations,
			})
		}
	}
	return found
}
