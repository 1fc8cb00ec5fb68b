package sdk

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

const pacedPeriod = 20_000_000

func pacedSpec(count int64, operationLimit time.Duration) map[string]any {
	return map[string]any{
		"operations": map[string]any{
			"read": map[string]any{"code": 7}, "write": map[string]any{"code": 8, "every": 2},
			"connect": map[string]any{"code": 9},
		},
		"schedule": map[string]any{"loop": "paced", "period_ns": pacedPeriod, "count": count},
		"limits":   map[string]any{"operation_ns": operationLimit, "stop_ns": time.Minute},
	}
}

func startAt(atNS int64) string {
	return fmt.Sprintf(`{"command":"start","monotonic_ns":%d}`+"\n", atNS)
}

func TestWhatIsDueAtATickIsUnderWayTogether(t *testing.T) {
	var both sync.WaitGroup
	meet := func(_ context.Context, call *Call) Outcome {
		if call.Tick%2 == 0 {
			both.Done()
			both.Wait() // returns only where the other one was issued meanwhile
		}
		return Outcome{Size: uint32(call.Tick), Answer: func() any { return call.Tick }}
	}
	start := Now()
	asked := `{"command":"answer","asked":0,"operation":"write","lane":0}` + "\n"
	found := liveWith(t, pacedSpec(4, time.Minute), input(startAt(start)+asked), func(w *Worker) error {
		return w.Follow(func(tick int64) map[string]Action {
			if tick%2 == 0 {
				both.Add(2)
			}
			return map[string]Action{"read": meet, "write": meet}
		})
	})
	if found.code != 0 {
		t.Fatal(found.events)
	}
	due := map[Sample]bool{}
	for tick := range int64(4) {
		intended := start + tick*pacedPeriod
		due[Sample{IntendedNS: intended, Operation: 7, Bytes: uint32(tick)}] = true
		if tick%2 == 0 {
			due[Sample{IntendedNS: intended, Operation: 8, Bytes: uint32(tick)}] = true
		}
	}
	recorded, lastNS := map[Sample]bool{}, int64(0)
	for _, sample := range found.samples(t) {
		if sample.StartNS < sample.IntendedNS || sample.EndNS < lastNS {
			t.Errorf("too early, or not in the order of their ends: %+v", sample)
		}
		lastNS = sample.EndNS
		sample.StartNS, sample.EndNS = 0, 0
		recorded[sample] = true
	}
	if !maps.Equal(recorded, due) {
		t.Errorf("recorded %v, due %v", recorded, due)
	}
	answers := strings.Split(strings.TrimSpace(string(found.file(t, "a"))), "\n")
	if len(answers) != 1 || !strings.Contains(answers[0], `"operation":"write","tick":0,`) {
		t.Errorf("answers %v", answers)
	}
}

func TestAPacedCallWithoutAnEndIsATimeoutAndTheNextTickComes(t *testing.T) {
	released := make(chan struct{})
	defer close(released)
	hangs := func(context.Context, *Call) Outcome {
		<-released
		return Outcome{}
	}
	item := Fault{Class: "StatusCode", Status: "Bad", Message: "item 3"}
	serves := func(context.Context, *Call) Outcome {
		return Outcome{Status: ItemError, Items: []Fault{item, item}}
	}
	found := liveWith(t, pacedSpec(2, 10*time.Millisecond), input(startAt(Now())), func(w *Worker) error {
		return w.Follow(func(tick int64) map[string]Action {
			return map[string]Action{"connect": [2]Action{hangs, serves}[tick]}
		})
	})
	var statuses []uint8
	for _, sample := range found.samples(t) {
		statuses = append(statuses, sample.Status)
	}
	if found.code != 0 || !slices.Equal(statuses, []uint8{Timeout, ItemError}) {
		t.Errorf("exit %d, recorded %v", found.code, statuses)
	}
	var scopes []any
	for _, event := range found.events {
		if event["event"] == "error" {
			scopes = append(scopes, event["scope"])
		}
	}
	if !slices.Equal(scopes, []any{"call", "item", "item"}) {
		t.Errorf("said %v", scopes)
	}
}
