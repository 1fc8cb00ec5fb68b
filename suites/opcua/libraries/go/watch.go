package opcua

import (
	"context"
	"slices"
	"time"

	"wirelab.dev/sdk"
)

// Values of each tag that the server keeps for a client that is behind.
const kept = 20

// watch is an operation that ends when its caller has the values of the change at its tick.
type watch struct {
	interval   time.Duration
	subscribes bool
	nodeLists  *NodeLists
	changes    *Changes
}

// watchOf is the way in which a spec has the tags watched; nil where it has none.
func watchOf(spec *sdk.Spec, nodeLists *NodeLists) (*watch, error) {
	if len(nodeLists.Watched) == 0 {
		return nil, nil
	}
	interval, err := sdk.Parameter(spec, "interval_ns", int64(0))
	_, subscribes := spec.Operations["notification"]
	return &watch{time.Duration(interval), subscribes, nodeLists, newChanges(len(nodeLists.Watched))}, err
}

// begin watches from now on, until the context ends.
func (w *watch) begin(ctx context.Context, session Session) error {
	if w.subscribes {
		return session.Subscribe(ctx, w.interval, kept, w.changes)
	}
	go w.poll(ctx, session)
	return nil
}

// poll reads all tags again and again; what differs from what was read before is a change.
func (w *watch) poll(ctx context.Context, session Session) {
	timer := time.NewTicker(w.interval)
	defer timer.Stop()
	var known []Reading
	for {
		if readings, err := session.Poll(ctx); err != nil {
			w.changes.Fail(err)
		} else {
			if !slices.EqualFunc(readings, known, func(a, b Reading) bool { return a.Value == b.Value }) {
				w.changes.putAll(readings)
			}
			known = readings
		}
		select {
		case <-timer.C:
		case <-ctx.Done():
			return
		}
	}
}

// action waits for the values of a tick's change, every item's status looked at.
func (w *watch) action(errors sdk.Errors) sdk.Action {
	return func(ctx context.Context, call *sdk.Call) sdk.Outcome {
		number := call.Tick + 1
		if call.Phase == sdk.Preflight {
			number = 0
		}
		select {
		case one := <-w.changes.await(number):
			if one.err != nil {
				return errors.Outcome(ctx, one.err)
			}
			return w.nodeLists.changed(one.readings)
		case <-ctx.Done():
			return errors.Outcome(ctx, ctx.Err())
		}
	}
}
