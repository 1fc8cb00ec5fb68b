package sdk

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"
)

// Call is one operation of one lane. Its start and end are stamped around its [Action], which may
// stamp them itself where it prepares something before, or looks at something after.
type Call struct {
	Operation string
	Phase     Phase
	// Step is the one that the call belongs to; of a preflight, the first one.
	Step *Step
	Tick int64
	Lane int64
	// IntendedNS is 0 where nothing but the start says when the call was due.
	IntendedNS int64

	startNS, endNS atomic.Int64
	settled        atomic.Bool
}

// Begin stamps the start, just before the library is called.
func (c *Call) Begin() { c.startNS.Store(Now()) }

// End stamps the end: the result is in the caller's hands.
func (c *Call) End() { c.endNS.Store(Now()) }

// StartNS is CLOCK_MONOTONIC at the start.
func (c *Call) StartNS() int64 { return c.startNS.Load() }

// EndNS is CLOCK_MONOTONIC at the end.
func (c *Call) EndNS() int64 { return c.endNS.Load() }

// Outcome is what came of a call.
type Outcome struct {
	Status uint8
	// Size is the payload in bytes (or what the suite says), 0 where it is not known.
	Size uint32
	// Fault says in the library's words what failed; nil when nothing did.
	Fault *Fault
	// Items are those that failed of a call that succeeded.
	Items []Fault
	// Answer makes the answer in the suite's form. It is called only where one is to be written.
	Answer func() any
}

// Action performs a call. The context ends with the operation's limit, with the latest end of the
// step, or soon after a stop.
type Action func(ctx context.Context, call *Call) Outcome

// perform runs an action between its stamps. A call that was given up meanwhile is not settled.
func (c *Call) perform(ctx context.Context, action Action) (Outcome, bool) {
	c.Begin()
	outcome := action(ctx, c)
	if c.endNS.Load() == 0 {
		c.End()
	}
	return outcome, c.settled.CompareAndSwap(false, true)
}

// settle records a call, and says its fault.
func (w *Worker) settle(call *Call, outcome Outcome) {
	if outcome.Fault != nil && outcome.Status == OK {
		outcome.Status = Failed // whatever its library calls it: it returned nothing
	}
	start, intended := call.StartNS(), call.IntendedNS
	if intended == 0 {
		intended = start
	}
	w.Recorder.Record(Sample{
		IntendedNS: intended, StartNS: start, EndNS: call.EndNS(), Bytes: outcome.Size,
		Operation: w.Spec.Operations[call.Operation].Code, Status: outcome.Status, Lane: uint16(call.Lane),
	})
	if outcome.Fault != nil {
		w.faultOf(call, *outcome.Fault, intended, CallScope)
	}
	for _, item := range outcome.Items {
		w.faultOf(call, item, intended, ItemScope)
	}
}

func (w *Worker) faultOf(call *Call, fault Fault, intendedNS int64, scope Scope) {
	fault.Operation, fault.IntendedNS = call.Operation, intendedNS
	if fault.Scope == "" {
		fault.Scope = scope
	}
	w.Fault(fault)
}

func (w *Worker) answer(call *Call, outcome Outcome) error {
	return w.Answers.Write(Answer{
		Phase: call.Phase, Operation: call.Operation, Tick: call.Tick,
		StartNS: call.StartNS(), EndNS: call.EndNS(), Answer: outcome.Answer(),
	})
}

// giveUp settles a call that does not end, or that nobody begins any more.
func (w *Worker) giveUp(call *Call) {
	if call.settled.Swap(true) {
		return
	}
	call.End()
	fault := Fault{Class: "GivenUp", Message: "not begun when time was up"}
	if !call.startNS.CompareAndSwap(0, call.EndNS()) {
		waited := time.Duration(call.EndNS() - call.StartNS())
		fault.Message = fmt.Sprintf("no end after %s: given up", waited)
	}
	w.settle(call, Outcome{Status: Timeout, Fault: &fault})
}

// Preflight performs the operations that are verified before timing, one after the other, and
// writes their answers. A contender that cannot do an operation once has nothing to be timed.
func (w *Worker) Preflight(actions map[string]Action) error {
	for _, operation := range w.inOrder(func(Operation) bool { return true }) {
		for tick := range w.Spec.Verify.Preflight[operation] {
			if err := w.preflight(operation, tick, actions[operation]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *Worker) preflight(operation string, tick int64, action Action) error {
	if action == nil {
		return fmt.Errorf("preflight: this worker has no operation %s", operation)
	}
	ctx, cancel := context.WithTimeout(context.Background(), w.Spec.Limits.Operation())
	defer cancel()
	step := &w.Spec.Schedule.parts()[0]
	call := &Call{Operation: operation, Phase: Preflight, Step: step, Tick: tick}
	outcome, _ := call.perform(ctx, action)
	if outcome.Fault != nil {
		return fmt.Errorf("preflight %s %d: %w", operation, tick, *outcome.Fault)
	}
	if outcome.Answer == nil {
		return fmt.Errorf("preflight %s %d: it ended with status %d and no answer to verify", operation, tick, outcome.Status)
	}
	return w.answer(call, outcome)
}
