package sdk

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// Nobody asks for an answer in the last tenth of a period.
const letGoShare = 10

// Follow works through a paced schedule: what is due at a tick is issued together, and the next tick
// begins when all of it has ended or was given up. actions gives before each tick what can be done at
// it, by the names of the operations; one that it leaves out is neither performed nor recorded.
func (w *Worker) Follow(actions func(tick int64) map[string]Action) error {
	timer, startNS, err := w.awaitStart()
	if timer == nil {
		return err
	}
	defer timer.close()
	schedule, kept := &w.Spec.Schedule, w.asked.lane(0)
	for tick := range schedule.Count {
		atNS := startNS + schedule.FirstNS + tick*schedule.PeriodNS
		due := w.dueTogether(tick, atNS, actions(tick))
		// So that to free it is in nobody's time.
		if going, err := timer.until(atNS - schedule.PeriodNS/letGoShare); !going {
			return err
		}
		w.asked.begin(kept)
		if going, err := timer.until(atNS); !going {
			return err
		}
		if err := w.asked.end(kept, w.together(due)...); err != nil {
			return err
		}
	}
	return nil
}

// pacedCall is a call of a tick, with what came of it.
type pacedCall struct {
	*Call
	action  Action
	outcome Outcome
	settled bool
}

func (w *Worker) dueTogether(tick, atNS int64, actions map[string]Action) []*pacedCall {
	var due []*pacedCall
	for _, name := range w.inOrder(func(Operation) bool { return true }) {
		action := actions[name]
		if action == nil || tick%max(1, w.Spec.Operations[name].Every) != 0 {
			continue
		}
		call := &Call{
			Operation: name, Phase: Measure, Step: &w.Spec.Schedule.parts()[0], Tick: tick, IntendedNS: atNS,
		}
		due = append(due, &pacedCall{Call: call, action: action})
	}
	return due
}

// together performs calls beside each other, records them in the order of their ends, and gives up
// those that do not end in time. Only then: what is written of one must not disturb the timing of
// another.
func (w *Worker) together(calls []*pacedCall) []*result {
	limit := w.Spec.Limits.Operation()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	ends := make(chan *pacedCall, len(calls))
	for _, one := range calls {
		go func() {
			one.outcome, one.settled = one.perform(ctx, one.action)
			ends <- one
		}()
	}
	ended := w.endedOf(ends, len(calls), limit+slack)
	slices.SortFunc(ended, func(a, b *pacedCall) int { return cmp.Compare(a.EndNS(), b.EndNS()) })
	results := make([]*result, 0, len(ended))
	for _, one := range ended {
		if one.settled {
			w.settle(one.Call, one.outcome)
			results = append(results, &result{
				operation: one.Operation, tick: one.Tick, startNS: one.StartNS(), endNS: one.EndNS(),
				answer: one.outcome.Answer,
			})
		}
	}
	for _, one := range calls {
		if !slices.Contains(ended, one) {
			w.giveUp(one.Call)
		}
	}
	return results
}

// endedOf waits for so many ends: until a limit, or not long after a stop.
func (w *Worker) endedOf(ends <-chan *pacedCall, count int, limit time.Duration) []*pacedCall {
	var ended []*pacedCall
	late, stopped := time.After(limit), w.Stopped()
	for len(ended) < count {
		select {
		case one := <-ends:
			ended = append(ended, one)
		case <-late:
			return ended
		case <-stopped:
			// Half of the limit for a stop ends the worker: this must be sooner.
			late, stopped = time.After(time.Duration(w.Spec.Limits.StopNS/4)), nil
		}
	}
	return ended
}
