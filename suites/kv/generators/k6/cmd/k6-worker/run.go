package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"wirelab.dev/kv/k6/points"
	"wirelab.dev/sdk"
)

const (
	// k6 has this to be there, and its users this to be made.
	k6Arrival = 30 * time.Second
	// k6 ends its users within the limit of the step; then it has this to end itself.
	k6Farewell = 2 * time.Second
	// An interrupted k6 writes what it has.
	k6Patience = time.Second
)

// run is one step: a k6 process.
type run struct {
	worker  *sdk.Worker
	plan    *plan
	startNS int64
	number  int
	step    sdk.Step
}

// play performs the step and records it; stopped when the core does not want it any more.
func (r *run) play(program string) (stopped bool, err error) {
	barrier, err := newBarrier(r.step.Lanes)
	if err != nil {
		return false, err
	}
	defer barrier.close()
	clock := newWallClock()
	k6, err := startK6(program, r.worker.Spec.Paths.Scratch, r.plan.step(r.number, barrier.url()))
	if err != nil {
		return false, fmt.Errorf("k6: %w", err)
	}
	defer k6.clear()
	if stopped, err = r.awaitEnd(barrier, k6); err != nil {
		return stopped, err
	}
	endNS := sdk.Now()
	if err := clock.finish(); err != nil {
		return stopped, err
	}
	c := &conversion{
		worker: r.worker, plan: r.plan, step: r.step, clock: clock,
		startNS: r.startNS, beginNS: barrier.begunNS(), stages: newStages(r.startNS),
	}
	if err := readPoints(k6.folder, c.take); err != nil {
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
func (r *run) awaitEnd(barrier *barrier, k6 *child) (stopped bool, err error) {
	opened := barrier.opened
	late := time.After(k6Arrival + time.Duration(r.plan.settlingNS(r.step)))
	for {
		select {
		case <-opened:
			opened = nil
			late = time.After(time.Duration(r.plan.countingNS(r.step)) + k6Farewell)
		case err := <-k6.ended:
			if err != nil {
				return false, sdk.Fault{
					Class:   "K6Ended",
					Message: fmt.Sprintf("k6 ended: %v; standard error says why", err),
				}
			}
			return false, nil
		case err := <-barrier.failed:
			k6.stop(k6Patience)
			return false, err
		case <-late:
			r.worker.Fault(sdk.Fault{
				Class: "K6Late", Scope: sdk.CallScope,
				Message: "k6 had not ended when the step had to: interrupted",
			})
			k6.stop(k6Patience)
			return false, nil
		case <-r.worker.Stopped():
			k6.stop(k6Patience)
			return true, nil
		}
	}
}

func readPoints(folder string, take func(points.Point) error) error {
	file, err := os.Open(filepath.Join(folder, pointsFile))
	if err != nil {
		return err
	}
	defer file.Close()
	return points.Read(file, take)
}
