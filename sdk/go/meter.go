package sdk

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
)

// The phases of the batch file.
const (
	warmingUp  = "warmup"
	measuring  = "measure"
	auditing   = "audit"
	allocating = "allocation"
	failing    = "failed"
)

const (
	steepest       = 10   // how much longer the next batch may be at most
	margin         = 1.05 // how much longer than asked for, so that noise makes no batch shorter
	mostIterations = 1_000_000_000_000
	allocation     = 1024 // iterations in which allocations are counted, at least one of each input
	agreeing       = 3    // batches that must have taken the same
	audited        = 8    // how much longer a batch is than the most iterations before its audit
)

// Loop is what is repeated in batches. Run does so many iterations, iteration i on input i modulo
// Inputs, and gives the suite's checksum of them. It is called once a batch: what is called in every
// iteration is within it. Audit, where there is one, does what the suite defines as an audit of all
// inputs, and leaves them as they were.
type Loop struct {
	Run    func(iterations int) (uint32, error)
	Inputs int
	Audit  func() (uint32, error)
}

// batch is a line of the batch file.
type batch struct {
	Step       string `json:"step"`
	Operation  string `json:"operation"`
	Phase      string `json:"phase"`
	StartNS    int64  `json:"start_ns"`
	EndNS      int64  `json:"end_ns"`
	Iterations int    `json:"rounds"`
	Checksum   uint32 `json:"checksum"`

	AllocatedBytes uint64 `json:"allocated_bytes"`
	GCCount        uint32 `json:"gc_count"`
	GCPauseNS      uint64 `json:"gc_pause_ns"`
}

func (b batch) took() int64 {
	return b.EndNS - b.StartNS
}

func (b batch) perIteration() float64 {
	return float64(b.took()) / float64(b.Iterations)
}

// meter times one loop.
type meter struct {
	plan    *BatchPlan
	loop    *Loop
	now     func() int64
	stopped func() bool
	batches []batch
}

// measure takes all batches of the loop.
func (m *meter) measure() error {
	// What the loop before left behind is not collected in this one's time.
	runtime.GC()
	iterations, err := m.plan.Iterations, error(nil)
	if iterations <= 0 {
		if iterations, err = m.ready(); err != nil {
			return err
		}
	}
	for range m.plan.Count {
		if m.stopped() {
			return nil
		}
		if _, err := m.batch(measuring, iterations); err != nil {
			return err
		}
		if m.loop.Audit != nil && m.plan.Iterations <= 0 {
			if err := m.audit(iterations); err != nil {
				return err
			}
		}
	}
	if m.stopped() {
		return nil
	}
	_, err = m.batch(allocating, max(m.loop.Inputs, min(iterations, allocation)))
	return err
}

// ready calibrates and warms up: the iterations of a batch.
func (m *meter) ready() (int, error) {
	deadline := m.now() + m.plan.WarmupNS
	iterations, err := m.calibrate()
	if err != nil || iterations == mostIterations { // what takes no time never settles either
		return iterations, err
	}
	return m.warm(iterations, deadline)
}

func (m *meter) calibrate() (int, error) {
	iterations := 1
	for !m.stopped() {
		one, err := m.batch(warmingUp, iterations)
		if err != nil {
			return 0, err
		}
		if one.took() >= m.plan.BatchNS || iterations == mostIterations {
			break
		}
		iterations = m.longer(one)
	}
	return iterations, nil
}

// warm repeats batches until they take what they took before.
func (m *meter) warm(iterations int, deadline int64) (int, error) {
	var perIteration []float64
	for m.now() < deadline && !m.stopped() && !m.agreed(perIteration) {
		one, err := m.batch(warmingUp, iterations)
		if err != nil {
			return 0, err
		}
		perIteration = append(perIteration, one.perIteration())
		if one.took() < m.plan.BatchNS { // the code became faster
			iterations = m.longer(one)
		}
	}
	return iterations, nil
}

// longer is how many iterations take as long as a batch shall, by one that took less; whole passes
// over the inputs.
func (m *meter) longer(one batch) int {
	growth := min(steepest, margin*float64(m.plan.BatchNS)/float64(max(1, one.took())))
	iterations := max(one.Iterations+1, int(math.Ceil(float64(one.Iterations)*growth)))
	if inputs := m.loop.Inputs; iterations > inputs {
		iterations = (iterations + inputs - 1) / inputs * inputs
	}
	return min(iterations, mostIterations)
}

// agreed says whether the last batches took the same.
func (m *meter) agreed(perIteration []float64) bool {
	if len(perIteration) < agreeing {
		return false
	}
	last := slices.Sorted(slices.Values(perIteration[len(perIteration)-agreeing:]))
	median := last[agreeing/2]
	within := m.plan.Agree * median
	return last[agreeing-1]-median <= within && median-last[0] <= within
}

// audit looks at the inputs after as many iterations as chance wants: no call tells when it is one.
func (m *meter) audit(iterations int) error {
	one := batch{Phase: auditing, Iterations: m.loop.Inputs, StartNS: m.now()}
	checksum, err := Caught(func() (uint32, error) {
		if _, err := m.loop.Run(rand.IntN(iterations/audited + 1)); err != nil {
			return 0, err
		}
		return m.loop.Audit()
	})
	one.EndNS = m.now()
	one.Checksum = checksum
	m.batches = append(m.batches, one)
	return err
}

// batch runs the loop once. The memory's figures are read outside of what is timed.
func (m *meter) batch(phase string, iterations int) (batch, error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	one := batch{Phase: phase, Iterations: iterations, StartNS: m.now()}
	checksum, err := Caught(func() (uint32, error) { return m.loop.Run(iterations) })
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
