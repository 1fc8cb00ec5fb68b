package main

import (
	"time"

	"wirelab.dev/kv/k6/points"
	"wirelab.dev/sdk"
	"wirelab.dev/sdk/k6"
)

// k6 has this to be there, and its users this to be made.
const k6Arrival = 30 * time.Second

// run is one step: a k6 process.
type run struct {
	worker  *sdk.Worker
	plan    *plan
	startNS int64
	number  int
	step    sdk.Step
}

// play performs the step and records it; stopped when the core does not want it any more.
func (r *run) play(program k6.Program) (stopped bool, err error) {
	barrier, err := newBarrier(r.step.Lanes)
	if err != nil {
		return false, err
	}
	defer barrier.server.Close()
	clock := k6.NewWallClock()
	child, err := playScript(program, r.worker.Spec.Paths.Scratch, r.plan.step(r.number, barrier.url()))
	if err != nil {
		return false, err
	}
	defer child.Clear()
	if stopped, err = r.awaitEnd(barrier, child); err != nil {
		return stopped, err
	}
	endNS := sdk.Now()
	if err := clock.Finish(); err != nil {
		return stopped, err
	}
	c := &conversion{
		worker: r.worker, fault: r.worker.Fault, plan: r.plan, step: r.step, monotonic: clock.Monotonic,
		startNS: r.startNS, beginNS: barrier.begunNS(), spans: newSpans(r.startNS),
	}
	if err := k6.Points(child, points.Parse, c.take); err != nil {
		return stopped, err
	}
	if err := c.write(); err != nil || stopped {
		return stopped, err // a step that was stopped has not ended
	}
	if c.beginNS == 0 {
		return false, sdk.Fault{Class: "NeverSettled", Message: "not all users had settled within the limit"}
	}
	if c.isComplete() {
		endNS = c.lastNS
	} else {
		givenUpNS := c.beginNS + r.plan.countingNS(r.step)
		endNS = max(c.lastNS, min(endNS, givenUpNS))
	}
	r.worker.Step(r.step.Name, c.beginNS, max(endNS, c.beginNS+1))
	return false, nil
}

// awaitEnd returns when k6 has ended: by itself, because it was time, or because of a stop.
func (r *run) awaitEnd(barrier *barrier, child *k6.Child) (stopped bool, err error) {
	opened := barrier.opened
	late := time.After(k6Arrival + time.Duration(r.plan.settlingNS(r.step)))
	for {
		select {
		case <-opened:
			opened = nil
			late = time.After(time.Duration(r.plan.countingNS(r.step)) + k6.Farewell)
		case err := <-child.Ended():
			if err != nil {
				return false, k6.Gone(err)
			}
			return false, nil
		case err := <-barrier.failed:
			child.Stop()
			return false, err
		case <-late:
			child.Overdue(r.worker)
			return false, nil
		case <-r.worker.Stopped():
			child.Stop()
			return true, nil
		}
	}
}
