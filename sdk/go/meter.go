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
	steepest   = 10   // how much longer the next batch may be at most
	margin     = 1.05 // how much longer than asked for, so that noise makes no batch shorter
	mostRounds = 1_000_000_000_000
	allocation = 1024 // rounds in which allocations are counted, at least one of each input
	agreeing   = 3    // batches that must have taken the same
	audited    = 8    // how much longer a batch is than the most rounds before its audit
)

// Loop is what is repeated in batches. Run does so many rounds, round r on input r modulo Inputs, and
// gives the suite's checksum of them. It is called once a batch: what is called in every round is
// within it. Audit, where there is one, does what the suite defines as an audit of all inputs, and leaves
// them as they were.
type Loop struct {
	Run    func(rounds int) (uint32, error)
	Inputs int
	Audit  func() (uint32, error)
}

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
	return b.EndNS - b.StartNS
}

func (b batch) perRound() float64 {
	return float64(b.took()) / float64(b.Rounds)
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
	rounds, err := m.plan.Rounds, error(nil)
	if rounds <= 0 {
		if rounds, err = m.ready(); err != nil {
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
		if m.loop.Audit != nil && m.plan.Rounds <= 0 {
			if err := m.audit(rounds); err != nil {
				return err
			}
		}
	}
	if m.stopped() {
		return nil
	}
	_, err = m.batch(allocating, max(m.loop.Inputs, min(rounds, allocation)))
	return err
}

// ready calibrates and warms up: the rounds of a batch.
func (m *meter) ready() (int, error) {
	deadline := m.now() + m.plan.WarmupNS
	rounds, err := m.calibrate()
	if err != nil || rounds == mostRounds { // what takes no time never settles either
		return rounds, err
	}
	return m.warm(rounds, deadline)
}

func (m *meter) calibrate() (int, error) {
	rounds := 1
	for !m.stopped() {
		one, err := m.batch(warmingUp, rounds)
		if err != nil {
			return 0, err
		}
		if one.took() >= m.plan.BatchNS || rounds == mostRounds {
			break
		}
		rounds = m.longer(one)
	}
	return rounds, nil
}

// warm repeats batches until they take what they took before.
func (m *meter) warm(rounds int, deadline int64) (int, error) {
	var perRound []float64
	for m.now() < deadline && !m.stopped() && !m.agreed(perRound) {
		one, err := m.batch(warmingUp, rounds)
		if err != nil {
			return 0, err
		}
		perRound = append(perRound, one.perRound())
		if one.took() < m.plan.BatchNS { // the code became faster
			rounds = m.longer(one)
		}
	}
	return rounds, nil
}

// longer is how many rounds take as long as a batch shall, by one that took less; whole passes
// over the inputs.
func (m *meter) longer(one batch) int {
	growth := min(steepest, margin*float64(m.plan.BatchNS)/float64(max(1, one.took())))
	rounds := max(one.Rounds+1, int(math.Ceil(float64(one.Rounds)*growth)))
	if inputs := m.loop.Inputs; rounds > inputs {
		rounds = (rounds + inputs - 1) / inputs * inputs
	}
	return min(rounds, mostRounds)
}

// agreed says whether the last batches took the same.
func (m *meter) agreed(perRound []float64) bool {
	if len(perRound) < agreeing {
		return false
	}
	last := slices.Sorted(slices.Values(perRound[len(perRound)-agreeing:]))
	median := last[agreeing/2]
	within := m.plan.Agree * median
	return last[agreeing-1]-median <= within && median-last[0] <= within
}

// audit looks at the inputs after as many rounds as chance wants, so that no call tells when it is one.
func (m *meter) audit(rounds int) error {
	one := batch{Phase: auditing, Rounds: m.loop.Inputs, StartNS: m.now()}
	checksum, err := Caught(func() (uint32, error) {
		if _, err := m.loop.Run(rand.IntN(rounds/audited + 1)); err != nil {
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
func (m *meter) batch(phase string, rounds int) (batch, error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	one := batch{Phase: phase, Rounds: rounds, StartNS: m.now()}
	checksum, err := Caught(func() (uint32, error) { return m.loop.Run(rounds) })
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
