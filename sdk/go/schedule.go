package sdk

import (
	"fmt"
	"math"
	"math/bits"
	"time"
)

// Part of a cycle by which each further lane is shifted, in billionths: the golden ratio.
const (
	golden = 618_033_989
	whole  = 1_000_000_000
)

// IsClosed says whether lanes wait for their results. Batches, whose loop is closed too, have no
// lanes.
func (s *Schedule) IsClosed() bool {
	return s.Loop == "closed" && len(s.Steps) > 0
}

// parts are the steps; of a schedule without any, one step of one lane.
func (s *Schedule) parts() []Step {
	if len(s.Steps) > 0 {
		return s.Steps
	}
	return []Step{{Count: s.Count, Users: 1, Lanes: 1}}
}

// shift is the place of a lane: nanoseconds after each tick, and ticks by which its cycle is
// shifted.
func (s *Schedule) shift(lane int64) (phaseNS, ticks int64) {
	// Below 10^9 times a cycle: too large for 64 bits where a cycle is longer than 9 seconds.
	part, cycle := lane%whole*golden%whole, s.Cycle.Length*s.PeriodNS
	shift := cycle/whole*part + cycle%whole*part/whole
	return shift % s.PeriodNS, shift / s.PeriodNS
}

// isActive says whether a lane is in the active part of its cycle at a tick.
func (s *Schedule) isActive(tick, shiftTicks int64) bool {
	length := s.Cycle.Length
	return ((tick-shiftTicks)%length+length)%length < s.Cycle.Active
}

// atMost is how long ticks of a closed loop may take; as long as can be said where that is longer.
func (s *Schedule) atMost(ticks, operationNS int64) time.Duration {
	high, low := bits.Mul64(uint64(ticks), uint64(s.PeriodNS))
	sum, carry := bits.Add64(low, uint64(operationNS), 0)
	if high != 0 || carry != 0 || sum > math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(sum)
}

// joinNS is when the k-th of n new users of a step connects, after the step began.
func (s *Step) joinNS(k, n int64) int64 {
	// In two parts: the product is beyond 64 bits for 65,536 users in two days.
	return s.JoinNS/n*k + s.JoinNS%n*k/n
}

// dueFrom is the first tick of a step that a lane is due at; knownLanes are those of the step
// before, which need no settling.
func (s *Step) dueFrom(lane, knownLanes int64) int64 {
	if lane < knownLanes {
		return s.First
	}
	return s.First + s.Settle
}

func (s *Schedule) check() error {
	if len(s.Steps) == 0 {
		return nil
	}
	if s.PeriodNS <= 0 || s.Cycle.Length <= 0 {
		return fmt.Errorf("a schedule with steps needs a period and a cycle, not %d ns and %d ticks",
			s.PeriodNS, s.Cycle.Length)
	}
	next := int64(0)
	for _, step := range s.Steps {
		if step.First != next {
			return fmt.Errorf("step %s begins at tick %d, not at %d", step.Name, step.First, next)
		}
		if step.Settle < 0 || step.Settle > step.Count || step.Lanes < 0 || step.Lanes > step.Users {
			return fmt.Errorf(
				"step %s: settle must be 0 to %d, found %d; lanes must be 0 to %d, found %d",
				step.Name, step.Count, step.Settle, step.Users, step.Lanes)
		}
		next += step.Count
	}
	return nil
}
