package sdk

import (
	"context"
	"io"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

const startOnly = `{"command":"start","monotonic_ns":1}` + "\n"

// input never ends: its end would mean stop.
func input(text string) io.Reader {
	return io.MultiReader(strings.NewReader(text), endless{})
}

type endless struct{}

func (endless) Read([]byte) (int, error) { select {} }

func step(name string, first, count, settle, lanes int64, parameters map[string]any) map[string]any {
	return map[string]any{
		"name": name, "first": first, "count": count, "settle": settle, "users": lanes, "lanes": lanes,
		"parameters": parameters,
	}
}

func closedSpec(operationLimit, stopLimit time.Duration, steps ...map[string]any) map[string]any {
	return map[string]any{
		"operations": map[string]any{"read": map[string]any{"code": 7}},
		"schedule":   map[string]any{"loop": "closed", "period_ns": 1_000_000, "steps": steps},
		"verify":     map[string]any{"preflight": map[string]any{"read": 1}},
		"limits":     map[string]any{"operation_ns": operationLimit, "stop_ns": stopLimit},
	}
}

func turned(_ context.Context, call *Call) Outcome {
	return Outcome{Size: uint32(call.Tick), Answer: func() any { return call.Lane }}
}

func drive(load Load) func(*Worker) error {
	return func(w *Worker) error {
		if err := w.Preflight(load.Actions); err != nil {
			return err
		}
		if err := w.Ready(Ready{Capabilities: []string{"lanes"}}); err != nil {
			return err
		}
		return w.Drive(load)
	}
}

func TestEveryLaneTakesItsTurnsInEveryStep(t *testing.T) {
	spec := closedSpec(time.Second, time.Second,
		step("one", 0, 4, 1, 2, nil), step("two", 4, 3, 0, 3, map[string]any{"size": 8}))
	role := drive(Load{Actions: map[string]Action{"read": turned}})
	asked := `{"command":"answer","asked":0,"operation":"read","lane":2}` + "\n"
	found := liveWith(t, spec, input(startOnly+asked), func(w *Worker) error {
		for number, expected := range []int64{50, 8} {
			size, err := StepParameter(w.Spec, &w.Spec.Schedule.Steps[number], "size", int64(0))
			if size != expected || err != nil {
				t.Errorf("size %d, %v", size, err)
			}
		}
		return role(w)
	})
	if found.code != 0 {
		t.Fatal(found.events)
	}
	var names []any
	var times []int64
	for _, event := range found.events {
		if event["event"] == "step" {
			names = append(names, event["name"])
			times = append(times, int64(event["begin_ns"].(float64)), int64(event["end_ns"].(float64)))
		}
	}
	if !reflect.DeepEqual(names, []any{"one", "two"}) {
		t.Fatalf("steps %v", names)
	}
	within := [3]int{}
	turns := map[[2]int64]int{}
	for _, sample := range found.samples(t) {
		turns[[2]int64{int64(sample.Lane), int64(sample.Bytes)}]++
		if sample.IntendedNS != sample.StartNS || sample.Operation != 7 || sample.Status != OK {
			t.Errorf("sample %+v", sample)
		}
		switch {
		case sample.EndNS <= times[0]:
			within[0]++
		case sample.StartNS >= times[0] && sample.EndNS <= times[1]:
			within[1]++
		case sample.StartNS >= times[2] && sample.EndNS <= times[3]:
			within[2]++
		}
	}
	if within != [3]int{2, 6, 9} || len(turns) != 17 {
		t.Errorf("settled, first step, second step: %v; turns %v", within, turns)
	}
	// The first turn of lane 2 is at tick 4, and the asking waits for its end.
	answers := strings.Split(strings.TrimSpace(string(found.file(t, "a"))), "\n")
	if len(answers) != 2 || !strings.Contains(answers[1], `"tick":4,`) ||
		!strings.Contains(answers[1], `"answer":2,"asked":0,"lane":2,`) {
		t.Errorf("answers %v", answers)
	}
}

func TestLanesOfABarrierBeginTogether(t *testing.T) {
	const lanes, ticks = 4, 20
	var ended [ticks]atomic.Int64
	early := atomic.Int64{}
	action := func(ctx context.Context, call *Call) Outcome {
		if call.Phase == Measure {
			if call.Tick > 0 && ended[call.Tick-1].Load() != lanes {
				early.Add(1)
			}
			// Lanes of different speed would drift apart.
			time.Sleep(time.Duration(call.Lane) * 100 * time.Microsecond)
			ended[call.Tick].Add(1)
		}
		return Outcome{Answer: func() any { return nil }}
	}
	spec := closedSpec(time.Second, time.Second, step("one", 0, ticks, 0, lanes, nil))
	load := Load{Actions: map[string]Action{"read": action}, Barrier: true}
	found := liveWith(t, spec, input(startOnly), drive(load))
	if found.code != 0 || ended[ticks-1].Load() != lanes || early.Load() != 0 {
		t.Errorf("exit %d, %d began early", found.code, early.Load())
	}
}

func TestLanesWithoutABarrierDoNotWaitForEachOther(t *testing.T) {
	ahead := make(chan struct{})
	action := func(ctx context.Context, call *Call) Outcome {
		switch {
		case call.Lane == 1 && call.Tick == 0:
			<-ahead
		case call.Lane == 0 && call.Tick == 1:
			close(ahead)
		}
		return turned(ctx, call)
	}
	spec := closedSpec(time.Minute, time.Second, step("one", 0, 2, 0, 2, nil))
	load := Load{Actions: map[string]Action{"read": action}}
	if found := liveWith(t, spec, input(startOnly), drive(load)); len(found.samples(t)) != 4 {
		t.Errorf("exit %d, %v", found.code, found.events)
	}
}

func TestACallWithoutAnEndIsGivenUp(t *testing.T) {
	action := func(ctx context.Context, call *Call) Outcome {
		if call.Phase == Measure && call.Lane == 1 {
			select {}
		}
		return turned(ctx, call)
	}
	for _, barrier := range []bool{false, true} {
		spec := closedSpec(20*time.Millisecond, time.Second, step("one", 0, 3, 0, 2, nil))
		load := Load{Actions: map[string]Action{"read": action}, Barrier: barrier}
		found := liveWith(t, spec, input(startOnly), drive(load))
		if found.code != 0 || found.event("step") == nil || found.event("error")["class"] != "GivenUp" {
			t.Fatalf("barrier %v: %v", barrier, found.events)
		}
		statuses := map[uint16][]uint8{}
		for _, sample := range found.samples(t) {
			statuses[sample.Lane] = append(statuses[sample.Lane], sample.Status)
		}
		others := map[bool]int{false: 3, true: 1}[barrier]
		if !reflect.DeepEqual(statuses[1], []uint8{Timeout}) || len(statuses[0]) != others {
			t.Errorf("barrier %v: %v", barrier, statuses)
		}
	}
}

func TestAStopEndsAStepWithoutAWord(t *testing.T) {
	reader, writer := io.Pipe()
	action := func(ctx context.Context, call *Call) Outcome {
		if call.Phase == Measure {
			go func() { _, _ = io.WriteString(writer, `{"command":"stop"}`+"\n") }()
			select {}
		}
		return turned(ctx, call)
	}
	spec := closedSpec(time.Minute, 200*time.Millisecond, step("one", 0, 3, 0, 1, nil))
	commands := io.MultiReader(strings.NewReader(startOnly), reader)
	found := liveWith(t, spec, commands, drive(Load{Actions: map[string]Action{"read": action}}))
	samples := found.samples(t)
	if found.code != 0 || found.event("step") != nil || len(samples) != 1 || samples[0].Status != Timeout {
		t.Errorf("exit %d, %v, %v", found.code, found.events, samples)
	}
}

type arrivals struct{ begun []bool }

func (a *arrivals) Begin(_ *Step, counts bool)         { a.begun = append(a.begun, counts) }
func (a *arrivals) Wait(context.Context)               {}
func (a *arrivals) LastNS() int64                      { return Now() }
func (a *arrivals) Completed(user int64) (int64, bool) { return Now(), user != 1 }

func TestUsersConnectInTurnAndHaveAReceiptEach(t *testing.T) {
	spec := closedSpec(time.Second, time.Second, step("one", 0, 2, 1, 2, nil))
	spec["operations"] = map[string]any{
		"read":     map[string]any{"code": 7},
		"connect":  map[string]any{"code": 8, "due": "join"},
		"complete": map[string]any{"code": 9, "due": "step"},
	}
	told := &arrivals{}
	found := liveWith(t, spec, input(startOnly), drive(Load{
		Actions: map[string]Action{"read": turned}, Arrivals: told,
		Join: func(context.Context, *Call) Outcome { return Outcome{Status: Refused} },
	}))
	statuses := map[uint8][]uint8{}
	for _, sample := range found.samples(t) {
		statuses[sample.Operation] = append(statuses[sample.Operation], sample.Status)
	}
	expected := map[uint8][]uint8{7: {OK, OK, OK, OK}, 8: {Refused, Refused}, 9: {OK, Timeout}}
	if !reflect.DeepEqual(statuses, expected) || !reflect.DeepEqual(told.begun, []bool{false, true}) {
		t.Errorf("%v, phases %v", statuses, told.begun)
	}
}

func TestNothingThatFailedIsGoodWhateverItsLibraryCallsIt(t *testing.T) {
	spec := closedSpec(time.Second, time.Second, step("one", 0, 2, 0, 1, nil))
	calls := 0
	denied := func(context.Context, *Call) Outcome {
		if calls++; calls == 1 {
			return Outcome{Answer: func() any { return "the preflight" }}
		}
		return Outcome{Status: OK, Fault: &Fault{Class: "Denied", Message: "nothing was wrong"}}
	}
	samples := liveWith(t, spec, input(startOnly), drive(Load{Actions: map[string]Action{"read": denied}})).samples(t)
	if len(samples) != 2 || samples[0].Status != Failed || samples[1].Status != Failed {
		t.Error(samples)
	}
}

func TestWhatCannotBeDoneOnceIsNotTimed(t *testing.T) {
	spec := closedSpec(time.Second, time.Second, step("one", 0, 1, 0, 1, nil))
	actions := map[string]Action{"read": func(context.Context, *Call) Outcome {
		return Outcome{Status: Refused, Fault: &Fault{Class: "Closed", Message: "no"}}
	}}
	found := liveWith(t, spec, input(startOnly), drive(Load{Actions: actions}))
	if found.code != 1 || found.event("ready") != nil || found.event("error")["class"] != "Closed" {
		t.Errorf("exit %d, %v", found.code, found.events)
	}
	found = liveWith(t, spec, input(startOnly), func(w *Worker) error { return w.Drive(Load{}) })
	if found.code != 1 || found.event("done") != nil {
		t.Errorf("without an action: exit %d, %v", found.code, found.events)
	}
}

func TestAPreflightOfWhichItemsFailHasAnAnswerToBeVerified(t *testing.T) {
	spec := closedSpec(time.Second, time.Second, step("one", 0, 1, 0, 1, nil))
	some := func(context.Context, *Call) Outcome {
		return Outcome{Status: ItemError, Answer: func() any { return "the others" }}
	}
	found := liveWith(t, spec, input(startOnly), drive(Load{Actions: map[string]Action{"read": some}}))
	if found.code != 0 {
		t.Error(found)
	}
}
