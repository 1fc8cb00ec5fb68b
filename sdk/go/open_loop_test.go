package sdk

import (
	"context"
	"maps"
	"math/big"
	"testing"
	"time"
)

func TestShiftsAreThoseOfTheContract(t *testing.T) {
	for _, length := range []int64{1, 3, 600} {
		for _, period := range []int64{1, 999, 100_000_000, 86_400_000_000_000} {
			schedule := Schedule{PeriodNS: period, Cycle: Cycle{Length: length, Active: 1}}
			for _, lane := range []int64{0, 1, 2, 77, 9_999, 65_535} {
				shift := big.NewInt(lane * 618033989 % 1_000_000_000)
				shift.Mul(shift, big.NewInt(length)).Mul(shift, big.NewInt(period))
				shift.Quo(shift, big.NewInt(1_000_000_000))
				phase, ticks := schedule.shift(lane)
				if found := ticks*period + phase; found != shift.Int64() || phase >= period {
					t.Errorf("lane %d of %d × %d ns: %d, not %s", lane, length, period, found, shift)
				}
			}
		}
	}
}

func TestALaneIsActiveForAPartOfItsCycle(t *testing.T) {
	schedule := Schedule{PeriodNS: 10, Cycle: Cycle{Length: 5, Active: 2}}
	for tick, expected := range []bool{true, false, false, false, true, true} {
		if schedule.isActive(int64(tick), 4) != expected {
			t.Errorf("tick %d", tick)
		}
	}
}

func TestLanesAreDueAtTheirIntendedTimes(t *testing.T) {
	const period = 2_000_000
	spec := map[string]any{
		"operations": map[string]any{
			"read": map[string]any{"code": 7}, "connect": map[string]any{"code": 8, "due": "join"},
		},
		"schedule": map[string]any{
			"loop": "open", "first_ns": 500, "period_ns": period, "count": 10,
			"steps": []any{step("one", 0, 5, 2, 2, nil), step("two", 5, 5, 1, 4, nil)},
		},
		"limits": map[string]any{"operation_ns": time.Second, "stop_ns": time.Second},
	}
	spec["schedule"].(map[string]any)["steps"].([]any)[1].(map[string]any)["join_ns"] = 1000
	// Late for its next tick, which must not be left out.
	slow := func(_ context.Context, call *Call) Outcome {
		if call.Tick == 3 && call.Lane == 0 {
			time.Sleep(2 * period)
		}
		return Outcome{Size: uint32(call.Tick)}
	}
	start := Now()
	found := liveWith(t, spec, input(`{"command":"start","monotonic_ns":`+big.NewInt(start).String()+"}\n"),
		drive(Load{
			Actions: map[string]Action{"read": slow},
			Join:    func(context.Context, *Call) Outcome { return Outcome{} },
		}))
	if found.code != 0 || found.event("step") != nil {
		t.Fatal(found.events)
	}
	due := map[Sample]bool{}
	schedule := Schedule{PeriodNS: period, Cycle: Cycle{Length: 1, Active: 1}}
	for lane := range int64(4) {
		phase, _ := schedule.shift(lane)
		first := map[bool]int64{true: 2, false: 6}[lane < 2]
		for tick := first; tick < 10; tick++ {
			intended := start + 500 + tick*period + phase
			due[Sample{IntendedNS: intended, Bytes: uint32(tick), Operation: 7, Lane: uint16(lane)}] = true
		}
	}
	for user, offset := range []int64{0, 0, 5 * period, 5*period + 500} {
		due[Sample{IntendedNS: start + 500 + offset, Operation: 8, Lane: uint16(user)}] = true
	}
	samples := found.samples(t)
	for _, sample := range samples {
		if sample.StartNS < sample.IntendedNS {
			t.Errorf("too early: %+v", sample)
		}
		sample.StartNS, sample.EndNS = 0, 0
		if !due[sample] {
			t.Errorf("not due, or twice: %+v", sample)
		}
		delete(due, sample)
	}
	if len(due) != 0 {
		t.Errorf("left out: %v", due)
	}
}

func TestWhatALaneHasNotBegunWhenTimeIsUpIsATimeout(t *testing.T) {
	released := make(chan struct{})
	defer close(released)
	calls := map[string]func(context.Context){
		"heeds its context": func(ctx context.Context) { <-ctx.Done() },
		"hangs":             func(context.Context) { <-released },
	}
	for name, hang := range calls {
		t.Run(name, func(t *testing.T) {
			const period, count = 1_000_000, 12
			spec := map[string]any{
				"operations": map[string]any{
					"read": map[string]any{"code": 7}, "write": map[string]any{"code": 8, "every": 4},
				},
				"schedule": map[string]any{"loop": "open", "period_ns": period, "count": count},
				"limits":   map[string]any{"operation_ns": 20_000_000, "stop_ns": time.Minute},
			}
			stuck := func(ctx context.Context, call *Call) Outcome {
				if call.Tick >= 4 {
					hang(ctx)
					return Outcome{Status: Timeout}
				}
				return Outcome{}
			}
			start := Now()
			found := liveWith(t, spec, input(`{"command":"start","monotonic_ns":`+big.NewInt(start).String()+"}\n"),
				drive(Load{Actions: map[string]Action{"read": stuck, "write": stuck}}))
			if found.code != 0 {
				t.Fatal(found.events)
			}
			statuses := map[Sample]uint8{}
			for _, sample := range found.samples(t) {
				if sample.StartNS < sample.IntendedNS || sample.EndNS < sample.StartNS {
					t.Errorf("times out of order: %+v", sample)
				}
				statuses[Sample{IntendedNS: sample.IntendedNS - start, Operation: sample.Operation}] = sample.Status
			}
			due := map[Sample]uint8{}
			for tick := range int64(count) {
				status := map[bool]uint8{true: OK, false: Timeout}[tick < 4]
				due[Sample{IntendedNS: tick * period, Operation: 7}] = status
				if tick%4 == 0 {
					due[Sample{IntendedNS: tick * period, Operation: 8}] = status
				}
			}
			if !maps.Equal(statuses, due) || len(found.samples(t)) != len(due) {
				t.Errorf("recorded %v, due %v", statuses, due)
			}
		})
	}
}

func TestAStopEndsTheWaiting(t *testing.T) {
	spec := map[string]any{
		"operations": map[string]any{"read": map[string]any{"code": 7}},
		"schedule":   map[string]any{"loop": "paced", "first_ns": time.Hour, "period_ns": 1, "count": 1},
		"limits":     map[string]any{"operation_ns": time.Second, "stop_ns": time.Second},
	}
	found := liveWith(t, spec, input(startAndStop), drive(Load{Actions: map[string]Action{"read": turned}}))
	if found.code != 0 || len(found.samples(t)) != 0 {
		t.Errorf("exit %d, %v", found.code, found.events)
	}
}

func TestStepsWithoutSenseAreRefused(t *testing.T) {
	for _, steps := range [][]any{
		{step("gap", 1, 1, 0, 1, nil)},
		{step("settles for too long", 0, 1, 2, 1, nil)},
		{step("one", 0, 2, 0, 1, nil), step("overlaps", 1, 2, 0, 1, nil)},
	} {
		spec := map[string]any{"schedule": map[string]any{"period_ns": 1, "steps": steps}}
		role := func(*Worker) error { t.Errorf("ran with %v", steps); return nil }
		if found := liveWith(t, spec, input(""), role); found.code != 2 {
			t.Errorf("%v: exit %d", steps, found.code)
		}
	}
}
