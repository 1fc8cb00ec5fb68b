package sdk

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"sync"
	"time"
)

// Repeated is the work of one step of a microbenchmark.
type Repeated struct {
	// Loop makes the loop of an operation; nil without an error: the worker has none.
	Loop func(operation string) (*Loop, error)
	// Answer writes the answers of the step: before its loops, or after them where the plan gives
	// the iterations, so that the first one of all is a cold one.
	Answer func() error
}

// Repeat waits for the start and works through the steps, as the contract's batch loops say; at
// prepares a step. A batch that goes on for too long after stop is given up with the role.
func (w *Worker) Repeat(at func(step string) (Repeated, error)) error {
	plan := w.Spec.Batches
	if plan == nil {
		return errors.New("the spec has no batches: this worker only repeats batches")
	}
	select {
	case <-w.Started():
	case <-w.Stopped():
		return nil
	}
	for _, step := range plan.Steps {
		if w.stopping() {
			return nil
		}
		repeated, err := at(step)
		if err != nil {
			return err
		}
		work := []func() error{
			repeated.Answer,
			func() error { return w.repeat(step, repeated.Loop) },
		}
		if plan.Iterations > 0 {
			slices.Reverse(work)
		}
		for _, do := range work {
			if err := do(); err != nil {
				return err
			}
		}
	}
	return nil
}

// repeat measures the operations of a step that are asked for.
func (w *Worker) repeat(step string, loopOf func(operation string) (*Loop, error)) error {
	plan := w.Spec.Batches
	for _, operation := range w.Spec.inOrder {
		asked := plan.Count > 0 && w.Spec.Operations[operation].Record == "batches"
		if !asked || w.stopping() {
			continue
		}
		loop, err := Caught(func() (*Loop, error) { return loopOf(operation) })
		if err == nil && loop == nil {
			continue
		}
		m := &meter{plan: plan, loop: loop, now: Now, stopped: w.between}
		if err == nil {
			err = m.measure()
		}
		if err := w.batches.write(step, operation, m.batches, err); err != nil {
			return err
		}
	}
	return nil
}

// between is called before each batch: it says about once a second how the runtime is, unless somebody
// counts instructions, and whether to stop.
func (w *Worker) between() bool {
	if now := Now(); !w.Spec.Batches.Counted && !w.quiet.Load() && now-w.saidNS >= int64(time.Second) {
		w.saidNS = now
		w.events.emit(w.probe.read())
	}
	return w.stopping()
}

// failedLine is that of an operation that could not be repeated.
type failedLine struct {
	Step      string `json:"step"`
	Operation string `json:"operation"`
	Phase     string `json:"phase"`
	Failure
}

// batchFile writes the batch file.
type batchFile struct {
	mutex   sync.Mutex
	file    *os.File
	buffer  *bufio.Writer
	encoder *json.Encoder
	count   int64
}

func newBatchFile(path string) (*batchFile, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	buffer := bufio.NewWriter(file)
	return &batchFile{file: file, buffer: buffer, encoder: json.NewEncoder(buffer)}, nil
}

// write adds the batches of an operation, or why there are none.
func (b *batchFile) write(step, operation string, batches []batch, failure error) error {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if failure != nil {
		b.count++
		return b.encoder.Encode(failedLine{step, operation, failing, *FailureOf(failure)})
	}
	for _, one := range batches {
		one.Step, one.Operation = step, operation
		if err := b.encoder.Encode(one); err != nil {
			return err
		}
		b.count++
	}
	return nil
}

// close completes the file and says how many lines it has.
func (b *batchFile) close() (int64, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.count, closed(b.buffer, b.file)
}
