package sdk

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Load is what the lanes of a client do; see [Worker.Drive].
type Load struct {
	// Actions are those of the spec's operations that are done at ticks, by name.
	Actions map[string]Action
	// Join connects user call.Lane; nil where users share what was connected before. It is recorded
	// where the spec has an operation with "due": "join".
	Join Action
	// Barrier lets the lanes of a tick begin together, when all have ended the one before. It is of
	// closed loops alone.
	Barrier bool
	// Arrivals are told of in closed loops whose calls bring something to others later.
	Arrivals Arrivals
	// Begun, where it is not nil, is called at tick 0 with its time.
	Begun func(startNS int64)
}

// Arrivals are what calls of a closed loop bring to other users after they have ended.
type Arrivals interface {
	// Begin is called before a phase of a step: settling, or what counts.
	Begin(step *Step, counts bool)
	// Wait returns when everything has come that the phase was to bring, or as late as the contract
	// gives a step up, or when the context ends.
	Wait(ctx context.Context)
	// LastNS is when the last of the phase came, 0 when none has.
	LastNS() int64
	// Completed is when a user had got everything of the phase, CLOCK_MONOTONIC ns; false: it has not.
	Completed(user int64) (int64, bool)
}

// driver carries out one load.
type driver struct {
	worker *Worker
	load   Load
	// Names of the operations due at ticks, in the order of their codes.
	atTicks []string
	startNS int64
	ctx     context.Context
	// Call under way of each user.
	pending []atomic.Pointer[Call]
	// Results of each user, kept for answers that are asked for.
	kept    []*keptLane
	failure atomic.Pointer[error]
	// The latest end of a call.
	lastNS atomic.Int64
}

// Drive waits for the start and carries out the schedule: steps one after the other in a closed
// loop, else every lane at its intended times. It returns when everything due has ended or was given
// up, or soon after a stop.
func (w *Worker) Drive(load Load) error {
	d, err := newDriver(w, load)
	if err != nil {
		return err
	}
	timer, startNS, err := w.awaitStart()
	if timer == nil {
		return err
	}
	defer timer.close()
	d.startNS = startNS
	if going, err := timer.until(d.startNS); !going {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	d.ctx = ctx
	if load.Begun != nil {
		load.Begun(d.startNS)
	}
	if w.Spec.Schedule.IsClosed() {
		d.closedLoop()
	} else {
		err = d.openLoop(timer)
	}
	if failure := d.failure.Load(); failure != nil {
		err = errors.Join(err, *failure)
	}
	return err
}

func newDriver(w *Worker, load Load) (*driver, error) {
	d := &driver{worker: w, load: load}
	d.atTicks = w.inOrder(func(o Operation) bool {
		return (o.Due == "" || o.Due == "tick") && o.Record != "intervals"
	})
	for _, operation := range d.atTicks {
		if load.Actions[operation] == nil {
			return nil, fmt.Errorf("this worker has no operation %s", operation)
		}
	}
	users := int64(1)
	for _, step := range w.Spec.Schedule.Steps {
		users = max(users, step.Users)
	}
	d.pending = make([]atomic.Pointer[Call], users)
	d.kept = make([]*keptLane, users)
	for lane := range d.kept {
		d.kept[lane] = w.asked.lane(int64(lane))
	}
	return d, nil
}

// inOrder gives the names of the operations that are meant, by their codes.
func (w *Worker) inOrder(meant func(Operation) bool) []string {
	var names []string
	for name, operation := range w.Spec.Operations {
		if meant(operation) {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		return int(w.Spec.Operations[a].Code) - int(w.Spec.Operations[b].Code)
	})
	return names
}

// turn performs one call of a lane and settles it.
func (d *driver) turn(ctx context.Context, call *Call, action Action) {
	ctx, cancel := context.WithTimeout(ctx, d.worker.Spec.Limits.Operation())
	defer cancel()
	d.pending[call.Lane].Store(call)
	kept := d.kept[call.Lane]
	d.worker.asked.begin(kept)
	outcome, ended := call.perform(ctx, action)
	if !ended {
		return
	}
	d.ended(call)
	d.worker.settle(call, outcome)
	d.note(d.worker.asked.end(kept, &result{
		operation: call.Operation, tick: call.Tick, startNS: call.StartNS(), endNS: call.EndNS(),
		answer: outcome.Answer,
	}))
}

// ended keeps the latest end of a call.
func (d *driver) ended(call *Call) {
	for last := d.lastNS.Load(); call.EndNS() > last; last = d.lastNS.Load() {
		if d.lastNS.CompareAndSwap(last, call.EndNS()) {
			return
		}
	}
}

// tick performs what a lane is due to at a tick, one operation after the other.
func (d *driver) tick(ctx context.Context, step *Step, tick, lane, intendedNS int64) {
	for _, operation := range d.dueAt(tick) {
		d.turn(ctx, &Call{
			Operation: operation, Phase: Measure, Step: step, Tick: tick, Lane: lane, IntendedNS: intendedNS,
		}, d.load.Actions[operation])
	}
}

// dueAt are the operations that are due at a tick.
func (d *driver) dueAt(tick int64) []string {
	due := d.atTicks[:0:0]
	for _, operation := range d.atTicks {
		if tick%max(1, d.worker.Spec.Operations[operation].Every) == 0 {
			due = append(due, operation)
		}
	}
	return due
}

// join connects a user. Without an operation of its own it is not recorded.
func (d *driver) join(ctx context.Context, step *Step, user, intendedNS int64) {
	if d.load.Join == nil {
		return
	}
	call := &Call{Phase: Measure, Step: step, Tick: joining, Lane: user, IntendedNS: intendedNS}
	if operations := d.joinings(); len(operations) > 0 {
		call.Operation = operations[0]
		d.turn(ctx, call, d.load.Join)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, d.worker.Spec.Limits.Operation())
	defer cancel()
	if outcome, _ := call.perform(ctx, d.load.Join); outcome.Fault != nil {
		d.worker.Fault(*outcome.Fault)
	}
}

// joinings is the operation by which users connect, where the spec has one and users connect.
func (d *driver) joinings() []string {
	if d.load.Join == nil {
		return nil
	}
	operations := d.worker.inOrder(func(o Operation) bool { return o.Due == "join" })
	return operations[:min(1, len(operations))]
}

// wait returns when all goroutines of a group have ended. Those that a context, the limit of the
// group or a stop does not end are given up, their calls as timeouts.
func (d *driver) wait(group *sync.WaitGroup, limit time.Duration) {
	ended := make(chan struct{})
	go func() {
		group.Wait()
		close(ended)
	}()
	// Half of the limit for a stop ends the worker: this must be sooner.
	grace := time.Duration(d.worker.Spec.Limits.StopNS / 4)
	select {
	case <-ended:
		return
	case <-time.After(limit):
	case <-d.worker.Stopped():
		select {
		case <-ended:
			return
		case <-time.After(grace):
		}
	}
	for lane := range d.pending {
		if call := d.pending[lane].Load(); call != nil {
			d.worker.giveUp(call)
			d.ended(call)
		}
	}
}

// note keeps the first failure to write something down.
func (d *driver) note(err error) {
	if err != nil {
		d.failure.CompareAndSwap(nil, &err)
	}
}
