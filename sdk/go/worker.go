package sdk

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

const progressApartNS = 900_000_000

// Worker is one role of one trial, made by [Main]. Its methods may be called by several
// goroutines; of its files the interval file may not be written by several at once.
type Worker struct {
	Spec      *Spec
	Recorder  *Recorder
	Answers   *Answers
	Intervals *Intervals

	asked    *asked
	commands *commands
	events   *events
	batches  *batchFile
	probe    runtimeProbe
	saidNS   int64 // when a microbenchmark last said how the runtime is
	quiet    atomic.Bool
	over     chan struct{}
	// Nothing may be said after done.
	reporting sync.WaitGroup
}

// Named is a library or a runtime with its version.
type Named struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Ready is what a worker says of itself when it waits for start or, a server, for its clients.
type Ready struct {
	Library Named
	// Endpoint is the address that a server really got.
	Endpoint     string
	Facts        map[string]any
	Capabilities []string
	// Quiet leaves out events about this process's memory: for a worker whose work is done by
	// another process.
	Quiet bool
}

type readyEvent struct {
	Event        string         `json:"event"`
	Contract     int            `json:"contract"`
	MonotonicNS  int64          `json:"monotonic_ns"`
	Library      Named          `json:"library"`
	Runtime      Named          `json:"runtime"`
	Endpoint     string         `json:"endpoint,omitempty"`
	Facts        map[string]any `json:"facts,omitempty"`
	Capabilities []string       `json:"capabilities,omitempty"`
}

type progressEvent struct {
	Event   string `json:"event"`
	Records int64  `json:"records"`
}

type stepEvent struct {
	Event   string `json:"event"`
	Name    string `json:"name"`
	BeginNS int64  `json:"begin_ns"`
	EndNS   int64  `json:"end_ns"`
}

type doneEvent struct {
	Event    string `json:"event"`
	Records  int64  `json:"records"`
	Answers  int64  `json:"answers"`
	Checksum string `json:"checksum"`
	Batches  *int64 `json:"batches,omitempty"`
}

func newWorker(spec *Spec, events *events) (*Worker, error) {
	w := &Worker{Spec: spec, events: events, over: make(chan struct{})}
	var err error
	if w.Recorder, err = newRecorder(spec.Paths.Samples); err != nil {
		return nil, err
	}
	if w.Answers, err = newAnswers(spec.Paths.Answers); err != nil {
		return nil, err
	}
	w.asked = newAsked(w.Answers, w.Recorder)
	if spec.Paths.Intervals != "" {
		if w.Intervals, err = newIntervals(spec.Paths.Intervals); err != nil {
			return nil, err
		}
	}
	if spec.Batches != nil {
		w.batches, err = newBatchFile(spec.Paths.Batches)
	}
	return w, err
}

// Ready says that this worker waits; its preflight answers are on disk by then. From now on
// the runtime reports itself once a second.
func (w *Worker) Ready(ready Ready) error {
	if err := w.Answers.flush(); err != nil {
		return fmt.Errorf("answers: %w", err)
	}
	w.quiet.Store(ready.Quiet)
	w.events.emit(readyEvent{
		Event: "ready", Contract: contract, MonotonicNS: Now(), Library: ready.Library,
		Runtime:  Named{Name: "Go", Version: runtime.Version()[len("go"):]},
		Endpoint: ready.Endpoint, Facts: ready.Facts, Capabilities: ready.Capabilities,
	})
	// A microbenchmark reports between its batches.
	if !ready.Quiet && w.batches == nil {
		w.reporting.Add(1)
		go w.reportRuntime()
	}
	return nil
}

// Started gives the CLOCK_MONOTONIC nanoseconds of tick 0 once they are known. Wait for
// [Worker.Stopped] as well: a core that stops early never starts.
func (w *Worker) Started() <-chan int64 {
	return w.commands.start
}

// Stopped is closed when the core says stop, or has gone. A server serves until then.
func (w *Worker) Stopped() <-chan struct{} {
	return w.commands.stop
}

func (w *Worker) stopping() bool {
	select {
	case <-w.Stopped():
		return true
	default:
		return false
	}
}

// Fault says in the library's words what failed; only the first 100 of a class are sent.
func (w *Worker) Fault(fault Fault) {
	w.events.fault(fault)
}

// Step says that a step of a closed loop has ended, and when it began; see the contract.
func (w *Worker) Step(name string, beginNS, endNS int64) {
	w.events.emit(stepEvent{Event: "step", Name: name, BeginNS: beginNS, EndNS: endNS})
}

func (w *Worker) reportRuntime() {
	defer w.reporting.Done()
	second := time.NewTicker(time.Second)
	defer second.Stop()
	saidNS := int64(0)
	for {
		select {
		case <-second.C:
			w.events.emit(w.probe.read())
			// After a second that came late the next one is not a second away.
			records, late := w.Recorder.Count(), Now()-saidNS < progressApartNS
			if records > 0 && !late {
				w.events.emit(progressEvent{Event: "progress", Records: records})
				saidNS = Now()
			}
		case <-w.over:
			return
		}
	}
}

// perform runs the role to its end, or until stop and half of the limit for it are over (the
// rest is for writing and leaving), and says done.
func (w *Worker) perform(role func(*Worker) error) error {
	ended := make(chan error, 1)
	go func() { ended <- role(w) }()
	var err error
	select {
	case err = <-ended:
	case <-w.Stopped():
		select {
		case err = <-ended:
		case <-time.After(time.Duration(w.Spec.Limits.StopNS / 2)):
			fmt.Fprintln(os.Stderr, "still busy after stop: given up")
		}
	}
	close(w.over)
	w.reporting.Wait()
	if err != nil {
		return err
	}
	return w.conclude()
}

func (w *Worker) conclude() error {
	records, err := w.Recorder.close()
	lines, checksum, ended := w.Answers.close()
	err = errors.Join(err, ended)
	if w.Intervals != nil {
		err = errors.Join(err, w.Intervals.close())
	}
	var batches *int64
	if w.batches != nil {
		count, ended := w.batches.close()
		batches, err = &count, errors.Join(err, ended)
	}
	if err != nil {
		return fmt.Errorf("results: %w", err)
	}
	if !w.quiet.Load() {
		w.events.emit(w.probe.read())
	}
	w.events.emit(doneEvent{
		Event: "done", Records: records, Answers: lines, Checksum: fmt.Sprintf("%08x", checksum),
		Batches: batches,
	})
	return nil
}
