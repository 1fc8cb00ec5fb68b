package sdk

import (
	"iter"
	"maps"
	"slices"
	"time"
)

// BySecond are counts of each second after tick 0, until they are taken out to be written. What
// comes for a second after that makes a line of its own. It is not for several goroutines.
type BySecond[T any] struct {
	fresh   func() T
	tick0NS int64
	counts  map[int64]T
}

// NewBySecond is one of counts that are made by fresh where a second has none.
func NewBySecond[T any](fresh func() T) *BySecond[T] {
	return &BySecond[T]{fresh: fresh, counts: make(map[int64]T)}
}

// StartAt says when second 0 begins.
func (b *BySecond[T]) StartAt(tick0NS int64) { b.tick0NS = tick0NS }

// At is the counts of the second of a time; what comes before tick 0 belongs to the first.
func (b *BySecond[T]) At(ns int64) T {
	second := max(0, b.secondOf(ns))
	counts, ok := b.counts[second]
	if !ok {
		counts = b.fresh()
		b.counts[second] = counts
	}
	return counts
}

// Settled takes out, at once, the seconds that were over so many seconds before nowNS; the oldest
// comes first.
func (b *BySecond[T]) Settled(nowNS, seconds int64) iter.Seq2[int64, T] {
	before := b.secondOf(nowNS) - seconds
	return b.taken(func(second int64) bool { return second < before })
}

// All takes out, at once, all of them; the oldest comes first.
func (b *BySecond[T]) All() iter.Seq2[int64, T] {
	return b.taken(func(int64) bool { return true })
}

func (b *BySecond[T]) taken(isDue func(second int64) bool) iter.Seq2[int64, T] {
	due := make(map[int64]T)
	for second, counts := range b.counts {
		if isDue(second) {
			due[second] = counts
			delete(b.counts, second)
		}
	}
	return func(yield func(int64, T) bool) {
		for _, second := range slices.Sorted(maps.Keys(due)) {
			if !yield(second, due[second]) {
				return
			}
		}
	}
}

func (b *BySecond[T]) secondOf(ns int64) int64 { return (ns - b.tick0NS) / int64(time.Second) }
