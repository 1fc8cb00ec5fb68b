package sdk

import (
	"context"
	"math"
	"sync"
	"time"
)

// After the context of a step has ended, a library has this long to notice.
const slack = 100 * time.Millisecond

// closedLoop carries out the steps of a schedule, one after the other.
func (d *driver) closedLoop() {
	users := int64(0)
	steps := d.worker.Spec.Schedule.Steps
	for number := range steps {
		step := &steps[number]
		for ; users < step.Users && !d.worker.stopping(); users++ {
			d.join(d.ctx, step, users, 0)
		}
		d.step(step)
		if d.worker.stopping() || d.failure.Load() != nil {
			return
		}
	}
}

func (d *driver) step(step *Step) {
	first, begins, ends := step.First, step.First+step.Settle, step.First+step.Count
	d.performPhase(step, first, begins, false)
	if d.worker.stopping() {
		return
	}
	beginNS := Now()
	d.performPhase(step, begins, ends, true)
	if d.worker.stopping() {
		return // a step that was stopped has not ended
	}
	// Not when this goroutine hears of it: in short steps that would be part of the figure.
	endNS := max(d.lastNS.Load(), beginNS+1)
	if d.load.Arrivals != nil {
		endNS = max(endNS, d.load.Arrivals.LastNS())
	}
	d.recordReceipts(step, beginNS, endNS)
	d.worker.Step(step.Name, beginNS, endNS)
}

// performPhase performs ticks of a step on all of its lanes, and waits for what they bring to others.
func (d *driver) performPhase(step *Step, from, to int64, counts bool) {
	limit := d.worker.Spec.Schedule.atMost(to-from, d.worker.Spec.Limits.OperationNS)
	ctx, cancel := context.WithTimeout(d.ctx, limit)
	defer cancel()
	if d.load.Arrivals != nil {
		d.load.Arrivals.Begin(step, counts)
	}
	rounds := newBarrier(int(step.Lanes))
	var lanes sync.WaitGroup
	for lane := range step.Lanes {
		lanes.Add(1)
		go func() {
			defer lanes.Done()
			defer rounds.leave()
			for tick := from; tick < to; tick++ {
				if d.load.Barrier {
					rounds.wait()
				}
				if ctx.Err() != nil || d.worker.stopping() {
					return
				}
				d.tick(ctx, step, tick, lane, 0)
			}
		}()
	}
	d.wait(&lanes, limit+min(slack, math.MaxInt64-limit))
	if d.load.Arrivals != nil && !d.worker.stopping() {
		d.load.Arrivals.Wait(ctx)
	}
}

// recordReceipts records the operations that every user has once a step.
func (d *driver) recordReceipts(step *Step, beginNS, endNS int64) {
	if d.load.Arrivals == nil {
		return
	}
	for _, name := range d.worker.inOrder(func(o Operation) bool { return o.Due == "step" }) {
		for user := range step.Users {
			sample := Sample{
				IntendedNS: beginNS, StartNS: beginNS, EndNS: endNS,
				Operation: d.worker.Spec.Operations[name].Code, Status: Timeout, Lane: uint16(user),
			}
			if doneNS, done := d.load.Arrivals.Completed(user); done {
				sample.EndNS, sample.Status = min(doneNS, endNS), OK
			}
			d.worker.Recorder.Record(sample)
		}
	}
}

// barrier lets its members begin a round together.
type barrier struct {
	mutex            sync.Mutex
	members, waiting int
	gate             chan struct{}
}

func newBarrier(members int) *barrier {
	return &barrier{members: members, gate: make(chan struct{})}
}

// wait returns when all members wait, or have left.
func (b *barrier) wait() {
	b.mutex.Lock()
	gate := b.gate
	b.waiting++
	b.openIfComplete()
	b.mutex.Unlock()
	<-gate
}

// leave takes a member away, so that nobody waits for it.
func (b *barrier) leave() {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.members--
	b.openIfComplete()
}

func (b *barrier) openIfComplete() {
	if b.waiting > 0 && b.waiting >= b.members {
		close(b.gate)
		b.gate = make(chan struct{})
		b.waiting = 0
	}
}
