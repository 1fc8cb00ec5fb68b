package sdk

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

type loopVector struct {
	Name    string    `json:"name"`
	Plan    BatchPlan `json:"plan"`
	Inputs  int       `json:"inputs"`
	Audited bool      `json:"audited"`
	CostNS  []int64   `json:"cost_ns"`
	Batches [][2]any  `json:"batches"`
}

// metered measures a loop whose iterations take what a vector says, on a clock of its own.
func metered(vector loopVector, run func(iterations int) (uint32, error)) *meter {
	var now int64
	begun := 0
	return &meter{
		plan: &vector.Plan, now: func() int64 { return now }, stopped: func() bool { return false },
		loop: &Loop{Inputs: vector.Inputs, Run: func(iterations int) (uint32, error) {
			now += int64(iterations) * vector.CostNS[min(begun, len(vector.CostNS)-1)]
			begun++
			return run(iterations)
		}},
	}
}

func honest(iterations int) (uint32, error) { return uint32(iterations), nil }

func TestVectorsOfBatches(t *testing.T) {
	var vectors struct {
		Loops []loopVector `json:"loops"`
	}
	read(t, "batches.json", &vectors)
	if len(vectors.Loops) != 11 {
		t.Fatal(len(vectors.Loops), "loops")
	}
	for _, vector := range vectors.Loops {
		t.Run(vector.Name, func(t *testing.T) {
			m := metered(vector, honest)
			if vector.Audited {
				m.loop.Audit = func() (uint32, error) { return 0, nil }
			}
			if err := m.measure(); err != nil {
				t.Fatal(err)
			}
			last := m.batches[len(m.batches)-1]
			if last.Phase != allocating || last.Iterations < vector.Inputs {
				t.Errorf("allocations were counted in %d iterations of %s", last.Iterations, last.Phase)
			}
			var found, want []string
			for _, one := range m.batches[:len(m.batches)-1] {
				found = append(found, fmt.Sprint(one.Phase, " ", one.Iterations))
			}
			for _, one := range vector.Batches {
				want = append(want, fmt.Sprint(one[0], " ", one[1]))
			}
			if !slices.Equal(found, want) {
				t.Errorf("%v, not %v", found, want)
			}
		})
	}
}

func TestAPanicOfALibraryIsAnError(t *testing.T) {
	vector := loopVector{Plan: BatchPlan{Iterations: 1, Count: 1}, Inputs: 1, CostNS: []int64{1}}
	err := metered(vector, func(int) (uint32, error) { panic("index out of range") }).measure()
	said := FailureOf(err)
	if said.Class != "panic string" || said.Message != "index out of range" {
		t.Errorf("%+v", said)
	}
}

// started is an input that says start and stays open.
func started(t *testing.T) io.Reader {
	t.Helper()
	reading, writing := io.Pipe()
	t.Cleanup(func() { _ = writing.Close() })
	go func() { _, _ = io.WriteString(writing, `{"command":"start","monotonic_ns":1}`+"\n") }()
	return reading
}

// repeating is the life of a worker of two steps; its plan has the keys of changes.
func repeating(t *testing.T, changes map[string]any) (life, []map[string]any) {
	t.Helper()
	plan := map[string]any{
		"steps": []string{"a", "b"}, "rounds": 0, "batch_ns": 1000, "count": 2, "warmup_ns": 1, "agree": 0.02,
	}
	for key, value := range changes {
		plan[key] = value
	}
	operations := map[string]any{}
	for code, name := range []string{"absent", "broken", "add"} {
		operations[name] = map[string]any{"code": code, "record": "batches"}
	}
	batches := filepath.Join(t.TempDir(), "b")
	found := liveWith(t, map[string]any{
		"batches": plan, "operations": operations,
		"paths": map[string]any{"samples": batches + ".s", "answers": batches + ".a", "batches": batches},
	}, started(t), func(w *Worker) error {
		if err := w.Ready(Ready{}); err != nil {
			return err
		}
		return w.Repeat(func(step string) (Repeated, error) {
			loop := func(operation string) (*Loop, error) {
				switch operation {
				case "add":
					return &Loop{Run: honest, Inputs: 3}, nil
				case "broken":
					return nil, errors.New("no inputs")
				}
				return nil, nil
			}
			answer := func() error { return w.Answers.Add(map[string]string{"step": step}) }
			return Repeated{Loop: loop, Answer: answer}, nil
		})
	})
	lines := []map[string]any{}
	text := life{folder: filepath.Dir(batches)}.file(t, "b")
	for _, line := range strings.FieldsFunc(string(text), func(r rune) bool { return r == '\n' }) {
		var one map[string]any
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, one)
	}
	return found, lines
}

func TestAWorkerOfBatchesSaysHowManyLinesThereAre(t *testing.T) {
	found, lines := repeating(t, map[string]any{"rounds": 7})
	var said []string
	for _, one := range lines {
		said = append(said, fmt.Sprint(one["step"], " ", one["operation"], " ", one["phase"]))
	}
	want := []string{
		"a add measure", "a add measure", "a add allocation", "a broken failed",
		"b add measure", "b add measure", "b add allocation", "b broken failed",
	}
	if !slices.Equal(said, want) {
		t.Error(said)
	}
	done := found.event("done")
	if done["batches"] != 8.0 || done["answers"] != 2.0 || done["records"] != 0.0 || found.code != 0 {
		t.Error(found.code, done)
	}
}

func TestWithACountOfZeroNothingIsTimed(t *testing.T) {
	found, lines := repeating(t, map[string]any{"count": 0})
	if done := found.event("done"); len(lines) != 0 || done["batches"] != 0.0 || done["answers"] != 2.0 {
		t.Error(lines, done)
	}
}

func TestAPlanWithoutALengthIsRefused(t *testing.T) {
	changes := map[string]any{"batches": map[string]any{"steps": []string{"a"}, "count": 1}}
	found := liveWith(t, changes, started(t), func(*Worker) error { return nil })
	if found.code != 2 {
		t.Error(found.code)
	}
}

func TestOperationsKeepTheirOrder(t *testing.T) {
	var names namesInOrder
	text := `{"touch": {"record": "batches"}, "read": {"code": 2}, "copy": {}}`
	if err := json.Unmarshal([]byte(text), &names); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(names, []string{"touch", "read", "copy"}) {
		t.Error(names)
	}
}
