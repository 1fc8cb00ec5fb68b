package sdk

import (
	"cmp"
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
// next tick at once; none is left out. It has one connection and one call at a time.
func (d *driver) openLoop(alarm *alarm) error {
	schedule := &d.worker.Spec.Schedule
	due := d.inboxes()
	var lanes sync.WaitGroup
	for lane, inbox := range due {
		lanes.Add(1)
		go func() {
			defer lanes.Done()
			d.live(int64(lane), inbox)
		}()
	}
	err := d.announce(alarm, due)
	for _, inbox := range due {
		close(inbox)
	}
	last := schedule.FirstNS + schedule.Count*schedule.PeriodNS + d.worker.Spec.Limits.OperationNS
	d.wait(&lanes, time.Duration(max(0, d.startNS+last-Now()))+slack)
	return err
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

// live performs what a user is due to, in that order.
func (d *driver) live(user int64, inbox <-chan moment) {
	for due := range inbox {
		if d.stopping() || d.ctx.Err() != nil {
			return
		}
		if due.tick == joining {
			d.join(d.ctx, due.step, user, due.intendedNS)
		} else {
			d.tick(d.ctx, due.step, due.tick, user, due.intendedNS)
		}
	}
}

// announce tells every user what it is due to when it is due.
func (d *driver) announce(alarm *alarm, due []chan moment) error {
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
					if going, err := alarm.until(joins[0].intendedNS); !going {
						return err
					}
					due[joins[0].user] <- joins[0].moment
					joins = joins[1:]
				}
				if going, err := alarm.until(atNS); !going {
					return err
				}
				due[lane.number] <- moment{step, tick, atNS}
			}
		}
		known = step.Lanes
	}
	for _, join := range joins {
		if going, err := alarm.until(join.intendedNS); !going {
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
			atNS := beginNS + (user-known)*step.JoinNS/added
			joins = append(joins, join{moment{step, joining, atNS}, user})
		}
		known = max(known, step.Users)
	}
	return joins
}
