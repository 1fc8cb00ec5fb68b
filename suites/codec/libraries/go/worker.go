package codec

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"syscall"
	"time"

	"wirelab.dev/sdk"
)

// stringModel is what folds count: Go's own strings are UTF-8.
const stringModel = "utf-8"

// patience is the part of the time for stopping in which a batch may still end.
const patience = 4

// Main is the worker; contender makes the codecs, tuned by the parameters of the spec.
func Main(contender func(*sdk.Spec) (Contender, error)) {
	if step := os.Getenv(apartStep); step != "" {
		if err := performApart(contender, step); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	events, err := syscall.Dup(1) // the SDK takes standard output away from the libraries
	if err != nil {
		fmt.Fprintln(os.Stderr, "standard output:", err)
		os.Exit(2)
	}
	syscall.CloseOnExec(events)
	sdk.Main(func(w *sdk.Worker) error {
		c, err := contender(w.Spec)
		if err != nil {
			return err
		}
		return work(w, c, os.NewFile(uintptr(events), "events"))
	})
}

// session is one run of a contender through all steps.
type session struct {
	contender Contender
	request   *request
	suite     string
	answers   *lines
	batches   *lines
	stopped   func() bool
}

func work(w *sdk.Worker, c Contender, events *os.File) error {
	s := &session{contender: c, suite: os.Getenv("CODEC_SUITE")}
	if s.suite == "" {
		return errors.New("CODEC_SUITE is not set: it is the folder of the suite")
	}
	strings, err := sdk.Parameter(w.Spec, "strings", stringModel)
	if err == nil && strings != stringModel {
		err = fmt.Errorf("strings are %s in Go, not %s", stringModel, strings)
	}
	if err != nil {
		return err
	}
	if s.request, err = readRequest(os.Getenv("WIRELAB_SPEC")); err != nil {
		return err
	}
	if s.answers, err = newLines(s.request.Paths.Answers); err != nil {
		return err
	}
	if s.batches, err = newLines(s.request.Paths.Batches); err != nil {
		return err
	}
	operations, err := s.operations()
	if err != nil {
		return err
	}
	if err := w.Ready(sdk.Ready{Library: c.Library, Facts: map[string]any{
		"format": c.Format, "strings": stringModel, "operations": operations,
	}}); err != nil {
		return err
	}
	select {
	case <-w.Started():
		s.stopped = func() bool {
			select {
			case <-w.Stopped():
				return true
			default:
				return false
			}
		}
		if err := s.performUntil(w.Stopped(), time.Duration(w.Spec.Limits.StopNS/patience)); err != nil {
			return err
		}
	case <-w.Stopped():
	}
	return s.conclude(events)
}

// operations are those that the contender has; they are the same for every shape.
func (s *session) operations() ([]string, error) {
	t, err := s.contender.open(s.suite, s.request.Batches.Steps[0])
	if err != nil {
		return nil, err
	}
	var has []string
	for _, name := range timed {
		run, err := caught(func() (loop, error) { return t.loop(name) })
		// One that has it and cannot prepare it says so when it is timed.
		if run != nil || err != nil {
			has = append(has, name)
		}
	}
	return has, nil
}

// performUntil gives up a batch that goes on for longer than limit after stop.
func (s *session) performUntil(stop <-chan struct{}, limit time.Duration) error {
	ended := make(chan error, 1)
	go func() { ended <- s.perform() }()
	select {
	case err := <-ended:
		return err
	case <-stop:
	}
	select {
	case err := <-ended:
		return err
	case <-time.After(limit):
		return nil
	}
}

func (s *session) perform() error {
	for _, step := range s.request.Batches.Steps {
		t, err := s.contender.open(s.suite, step)
		if err != nil {
			return err
		}
		work := []func(track, string) error{s.answer, s.timeAll}
		if s.request.Batches.Rounds > 0 {
			slices.Reverse(work) // the first round of all is to be a cold one
		}
		for _, do := range work {
			if err := do(t, step); err != nil {
				return err
			}
		}
	}
	return nil
}

// timeAll measures the operations of a step that are asked for.
func (s *session) timeAll(t track, step string) error {
	for _, operation := range s.request.Operations {
		if operation.record != "batches" || s.request.Batches.Count <= 0 || s.stopped() {
			continue
		}
		if err := s.time(t, step, operation.name); err != nil {
			return err
		}
	}
	return nil
}

// answer gives the preflight of a step, and what the scenario wants to know of its decoder.
func (s *session) answer(t track, step string) error {
	if s.contender.Format == FormatNone {
		return nil
	}
	preflight := preflight{track: t, step: step, kept: s.contender.Kept, answers: s.answers}
	if err := preflight.give(); err != nil {
		return err
	}
	c := conformance{track: t, step: step, format: s.contender.Format, answers: s.answers}
	asks := s.request.Operations.asks
	if asks(readOthers) {
		if err := c.read(s.request.Inputs); err != nil {
			return err
		}
	}
	if asks(truncate) {
		if err := c.truncated(); err != nil {
			return err
		}
	}
	if asks(reject) {
		return c.rejected(s.suite)
	}
	return nil
}

// time measures one operation and then writes its batches.
func (s *session) time(t track, step, operation string) error {
	run, err := caught(func() (loop, error) { return t.loop(operation) })
	if err != nil {
		return s.failed(step, operation, err)
	}
	if run == nil {
		return nil
	}
	m := &meter{
		plan: s.request.Batches, instances: t.size(), now: sdk.Now, stopped: s.stopped, run: run,
	}
	failure := m.measure()
	for _, one := range m.batches {
		one.Step, one.Operation = step, operation
		if err := s.batches.write(one); err != nil {
			return err
		}
	}
	if failure != nil {
		return s.failed(step, operation, failure)
	}
	return nil
}

func (s *session) failed(step, operation string, err error) error {
	told := failureOf(err)
	return s.batches.write(map[string]string{
		"step": step, "operation": operation, "phase": "failed",
		"class": told.Class, "message": told.Message,
	})
}

// conclude says done itself and ends the process: the SDK's own done knows neither of answers
// with steps nor of batches.
func (s *session) conclude(events *os.File) error {
	for _, file := range []*lines{s.answers, s.batches} {
		if err := file.close(); err != nil {
			return fmt.Errorf("results: %w", err)
		}
	}
	checksum := "00000000"
	if s.answers.count > 0 {
		checksum = fmt.Sprintf("%08x", s.answers.digest.Sum32())
	}
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	for _, event := range []map[string]any{
		{
			"event": "runtime", "monotonic_ns": sdk.Now(), "heap_bytes": memory.HeapAlloc,
			"heap_kind": "objects on the heap, those not swept yet included",
			"gc_count":  memory.NumGC, "gc_pause_ns": memory.PauseTotalNs,
		},
		{
			"event": "done", "records": 0, "answers": s.answers.count, "checksum": checksum,
			"batches": s.batches.count,
		},
	} {
		line, err := json.Marshal(event)
		if err != nil {
			return err
		}
		if _, err := events.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	os.Exit(0)
	return nil
}
