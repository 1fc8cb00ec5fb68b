package codec

import (
	"math"
	"runtime"
	"slices"
)

// The phases of the batch file.
const (
	warmingUp  = "warmup"
	measuring  = "measure"
	allocating = "allocation"
)

const (
	steepest   = 10   // how much longer the next batch of a calibration may be at most
	allocation = 1024 // rounds in which allocations are counted, at least one of each instance
	agreeing   = 3    // batches that must have taken the same
)

// batch is a line of the batch file.
type batch struct {
	Step      string `json:"step"`
	Operation string `json:"operation"`
	Phase     string `json:"phase"`
	StartNS   int64  `json:"start_ns"`
	EndNS     int64  `json:"end_ns"`
	Rounds    int    `json:"rounds"`
	Checksum  uint32 `json:"checksum"`

	AllocatedBytes uint64 `json:"allocated_bytes"`
	GCCount        uint32 `json:"gc_count"`
	GCPauseNS      uint64 `json:"gc_pause_ns"`
}

func (b batch) took() int64 {
	return max(1, b.EndNS-b.StartNS)
}

func (b batch) perRound() float64 {
	return float64(b.took()) / float64(b.Rounds)
}

// meter times one operation on one shape.
type meter struct {
	plan      batchPlan
	instances int
	now       func() int64
	stopped   func() bool
	run       loop
	batches   []batch
}

// measure takes all batches of the operation; those before an error are kept.
func (m *meter) measure() error {
	// What the operation before left behind is not collected in this one's time.
	runtime.GC()
	rounds, err := m.plan.Rounds, error(nil)
	if rounds <= 0 {
		if rounds, err = m.warm(); err != nil {
			return err
		}
	}
	for range m.plan.Count {
		if m.stopped() {
			return nil
		}
		if _, err := m.batch(measuring, rounds); err != nil {
			return err
		}
	}
	if m.stopped() {
		return nil
	}
	_, err = m.batch(allocating, max(m.instances, min(rounds, allocation)))
	return err
}

// warm calibrates, then repeats batches until they take what they took before. It gives the
// rounds of a batch.
func (m *meter) warm() (int, error) {
	deadline := m.now() + m.plan.WarmupNS
	rounds := 1
	for !m.stopped() {
		one, err := m.batch(warmingUp, rounds)
		if err != nil {
			return 0, err
		}
		if one.took() >= m.plan.BatchNS {
			break
		}
		rounds = m.scaled(one)
	}
	var perRound []float64
	for m.now() < deadline && !m.stopped() {
		one, err := m.batch(warmingUp, rounds)
		if err != nil {
			return 0, err
		}
		perRound = append(perRound, one.perRound())
		if len(perRound) >= agreeing && agree(perRound[len(perRound)-agreeing:], m.plan.Agree) {
			break
		}
		if one.took() < m.plan.BatchNS { // the code became faster
			rounds = m.scaled(one)
		}
	}
	return rounds, nil
}

// scaled is how many rounds take as long as a batch shall, from one that took less. A twentieth
// more is asked for, so that noise does not make yet another batch necessary.
func (m *meter) scaled(one batch) int {
	factor := min(steepest, 1.05*float64(m.plan.BatchNS)/float64(one.took()))
	return int(math.Ceil(float64(one.Rounds) * factor))
}

func agree(values []float64, within float64) bool {
	sorted := slices.Sorted(slices.Values(values))
	median := sorted[len(sorted)/2]
	return sorted[len(sorted)-1]-median <= within*median && median-sorted[0] <= within*median
}

// batch runs the loop once. The memory's figures are read outside of what is timed.
func (m *meter) batch(phase string, rounds int) (batch, error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	one := batch{Phase: phase, Rounds: rounds, StartNS: m.now()}
	checksum, err := caught(func() (uint32, error) { return m.run(rounds) })
	one.EndNS = m.now()
	runtime.ReadMemStats(&after)
	if err != nil {
		return one, err
	}
	one.Checksum = checksum
	one.AllocatedBytes = after.TotalAlloc - before.TotalAlloc
	one.GCCount = after.NumGC - before.NumGC
	one.GCPauseNS = after.PauseTotalNs - before.PauseTotalNs
	m.batches = append(m.batches, one)
	return one, nil
}
