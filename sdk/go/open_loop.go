package sdk

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"
)

// moment is what a lane or user is due to: a tick of a step, or to join.
type moment struct {
	step       *Step
	tick       int64
	intendedNS int64
}

const joining = -1

// openLoop performs every lane's ticks at their intended times. A lane that is late performs the
// next tick at once; none is left out. It has one connection and one call at a time. What it has
// not begun when the time of the schedule is up, it gives up.
func (d *driver) openLoop(timer *kernelTimer) error {
	schedule := &d.worker.Spec.Schedule
	ends := schedule.FirstNS + schedule.Count*schedule.PeriodNS + d.worker.Spec.Limits.OperationNS
	endNS := d.startNS + ends
	ctx, cancel := context.WithTimeout(d.ctx, time.Duration(endNS-Now()))
	defer cancel()
	due := d.inboxes()
	var lanes sync.WaitGroup
	for lane, inbox := range due {
		lanes.Add(1)
		go func() {
			defer lanes.Done()
			d.live(ctx, int64(lane), inbox, endNS)
		}()
	}
	err := d.announce(timer, due)
	for _, inbox := range due {
		close(inbox)
	}
	d.wait(&lanes, time.Duration(max(0, endNS-Now()))+slack)
	if !d.worker.stopping() {
		d.leaveRest(due)
	}
	return err
}

// leaveRest gives up what is left of lanes that still wait for a library that does not heed its
// context. Of others nothing is: the last call of their last tick has ended.
func (d *driver) leaveRest(due []chan moment) {
	for lane, inbox := range due {
		if call := d.pending[lane].Load(); call != nil && call.Tick != joining {
			operations := d.dueAt(call.Tick)
			after := operations[slices.Index(operations, call.Operation)+1:]
			d.leave(moment{call.Step, call.Tick, call.IntendedNS}, int64(lane), after)
		}
		for left := range inbox {
			d.leave(left, int64(lane), d.dueOf(left))
		}
	}
}

// inboxes are one for each user, large enough for all that it is due to: who tells the time must
// never wait for a lane.
func (d *driver) inboxes() []chan moment {
	sizes := make([]int64, len(d.pending))
	for _, step := range d.worker.Spec.Schedule.parts() {
		for user := range step.Users {
			sizes[user]++
		}
		for lane := range step.Lanes {
			sizes[lane] += step.Count
		}
	}
	due := make([]chan moment, len(sizes))
	for user, size := range sizes {
		due[user] = make(chan moment, size)
	}
	return due
}

// live performs what a user is due to, in that order, until endNS; what is left then it leaves.
func (d *driver) live(ctx context.Context, user int64, inbox <-chan moment, endNS int64) {
	for due := range inbox {
		switch {
		case d.worker.stopping() || d.ctx.Err() != nil:
			return
		case Now() >= endNS:
			d.leave(due, user, d.dueOf(due))
		case due.tick == joining:
			d.join(ctx, due.step, user, due.intendedNS)
		default:
			d.tick(ctx, due.step, due.tick, user, due.intendedNS)
		}
	}
}

// leave gives up operations that a user was due to and has not begun.
func (d *driver) leave(due moment, user int64, operations []string) {
	for _, operation := range operations {
		d.worker.giveUp(&Call{
			Operation: operation, Phase: Measure, Step: due.step, Tick: due.tick, Lane: user,
			IntendedNS: due.intendedNS,
		})
	}
}

// dueOf are the operations of a moment.
func (d *driver) dueOf(due moment) []string {
	if due.tick == joining {
		return d.joinings()
	}
	return d.dueAt(due.tick)
}

// announce tells every user what it is due to when it is due.
func (d *driver) announce(timer *kernelTimer, due []chan moment) error {
	schedule := &d.worker.Spec.Schedule
	joins, known := d.joins(), int64(0)
	steps := schedule.parts()
	for number := range steps {
		step := &steps[number]
		lanes := d.lanesOf(step, known)
		for tick := step.First; tick < step.First+step.Count; tick++ {
			for _, lane := range lanes {
				if tick < lane.from || !schedule.isActive(tick, lane.shiftTicks) {
					continue
				}
				atNS := d.startNS + schedule.FirstNS + tick*schedule.PeriodNS + lane.phaseNS
				for len(joins) > 0 && joins[0].intendedNS <= atNS {
					if going, err := timer.until(joins[0].intendedNS); !going {
						return err
					}
					due[joins[0].user] <- joins[0].moment
					joins = joins[1:]
				}
				if going, err := timer.until(atNS); !going {
					return err
				}
				due[lane.number] <- moment{step, tick, atNS}
			}
		}
		known = step.Lanes
	}
	for _, join := range joins {
		if going, err := timer.until(join.intendedNS); !going {
			return err
		}
		due[join.user] <- join.moment
	}
	return nil
}

// dueLane is a lane's place in the ticks of a step.
type dueLane struct {
	number, phaseNS, shiftTicks, from int64
}

// lanesOf gives the lanes of a step in the order of their intended times within each tick.
func (d *driver) lanesOf(step *Step, known int64) []dueLane {
	lanes := make([]dueLane, step.Lanes)
	for number := range step.Lanes {
		phaseNS, ticks := d.worker.Spec.Schedule.shift(number)
		lanes[number] = dueLane{number, phaseNS, ticks, step.dueFrom(number, known)}
	}
	slices.SortStableFunc(lanes, func(a, b dueLane) int { return cmp.Compare(a.phaseNS, b.phaseNS) })
	return lanes
}

type join struct {
	moment
	user int64
}

// joins are all users that steps add, in the order of their intended times.
func (d *driver) joins() []join {
	schedule := &d.worker.Spec.Schedule
	var joins []join
	known := int64(0)
	steps := schedule.parts()
	for number := range steps {
		step := &steps[number]
		beginNS := d.startNS + schedule.FirstNS + step.First*schedule.PeriodNS
		added := step.Users - known
		for user := known; user < step.Users; user++ {
			atNS := beginNS + step.joinNS(user-known, added)
			joins = append(joins, join{moment{step, joining, atNS}, user})
		}
		known = max(known, step.Users)
	}
	return joins
}
