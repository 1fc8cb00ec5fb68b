package codec

import (
	"errors"
	"testing"
)

// metered measures a loop whose rounds take as long as cost says, on a clock of its own.
func metered(plan batchPlan, cost func(batch int) int64) *meter {
	var now int64
	batches := 0
	return &meter{
		plan: plan, instances: 16, now: func() int64 { return now }, stopped: func() bool { return false },
		run: func(rounds int) (uint32, error) {
			now += int64(rounds) * cost(batches)
			batches++
			return uint32(rounds), nil
		},
	}
}

func inPhase(m *meter, phase string) (found []batch) {
	for _, one := range m.batches {
		if one.Phase == phase {
			found = append(found, one)
		}
	}
	return found
}

var plan = batchPlan{BatchNS: 1_000_000, Count: 5, WarmupNS: 100_000_000, Agree: 0.02}

func TestBatchesAreAsLongAsAsked(t *testing.T) {
	m := metered(plan, func(int) int64 { return 10 })
	if err := m.measure(); err != nil {
		t.Fatal(err)
	}
	measured := inPhase(m, measuring)
	if len(measured) != plan.Count {
		t.Fatal(len(measured), "batches")
	}
	for _, one := range measured {
		if one.took() < plan.BatchNS || one.took() > 2*plan.BatchNS {
			t.Errorf("took %d", one.took())
		}
		if one.Checksum != uint32(one.Rounds) {
			t.Errorf("checksum %d of %d rounds", one.Checksum, one.Rounds)
		}
	}
}

func TestCalibrationGrowsTenfoldAtMost(t *testing.T) {
	m := metered(plan, func(int) int64 { return 1 })
	if err := m.measure(); err != nil {
		t.Fatal(err)
	}
	warm := inPhase(m, warmingUp)
	if warm[0].Rounds != 1 {
		t.Errorf("began with %d rounds", warm[0].Rounds)
	}
	for i := 1; i < len(warm); i++ {
		if warm[i].Rounds > steepest*warm[i-1].Rounds {
			t.Errorf("%d rounds after %d", warm[i].Rounds, warm[i-1].Rounds)
		}
	}
}

func TestCodeThatBecomesFasterGetsMoreRounds(t *testing.T) {
	m := metered(plan, func(batch int) int64 { return max(10, 1000-100*int64(batch)) })
	if err := m.measure(); err != nil {
		t.Fatal(err)
	}
	for _, one := range inPhase(m, measuring) {
		if one.took() < plan.BatchNS {
			t.Errorf("took %d", one.took())
		}
	}
}

func TestWarmingUpEndsThoughNothingAgrees(t *testing.T) {
	m := metered(plan, func(batch int) int64 { return int64(100 + 100*(batch%2)) })
	if err := m.measure(); err != nil {
		t.Fatal(err)
	}
	warm := inPhase(m, warmingUp)
	if last := warm[len(warm)-1]; last.StartNS >= plan.WarmupNS {
		t.Errorf("a batch began at %d", last.StartNS)
	}
	if len(inPhase(m, measuring)) != plan.Count {
		t.Error(len(inPhase(m, measuring)), "batches")
	}
}

func TestGivenRoundsAreNotWarmedUp(t *testing.T) {
	m := metered(batchPlan{Rounds: 7, Count: 2, BatchNS: 1}, func(int) int64 { return 1 })
	if err := m.measure(); err != nil {
		t.Fatal(err)
	}
	if len(inPhase(m, warmingUp)) != 0 {
		t.Error("warmed up")
	}
	for _, one := range inPhase(m, measuring) {
		if one.Rounds != 7 {
			t.Errorf("%d rounds", one.Rounds)
		}
	}
	counted := inPhase(m, allocating)
	if len(counted) != 1 || counted[0].Rounds < m.instances {
		t.Errorf("allocations of %v", counted)
	}
}

func TestAPanicOfALibraryIsAnError(t *testing.T) {
	m := metered(batchPlan{Rounds: 1, Count: 1}, func(int) int64 { panic("index out of range") })
	err := m.measure()
	var told panicked
	if !errors.As(err, &told) || failureOf(err).Message != "index out of range" {
		t.Error(err)
	}
}
