// k6-worker is a load generator of the suite: a worker of the contract that has k6 do its work.
package main

import (
	"strconv"
	"time"

	"wirelab.dev/sdk"
	"wirelab.dev/sdk/k6"
	"wirelab.dev/websocket/k6/points"
)

func main() {
	sdk.Main(generate)
}

func generate(w *sdk.Worker) error {
	p, err := planOf(w.Spec)
	if err != nil {
		return err
	}
	program, err := k6.Beside()
	if err != nil {
		return err
	}
	control, err := newControl()
	if err != nil {
		return err
	}
	defer control.server.Close()
	p.Control = control.server.URL()
	clock := k6.NewWallClock()
	child, err := playScript(program, w.Spec.Paths.Scratch, p)
	if err != nil {
		return err
	}
	defer child.Clear()

	stopped, err := awaitSetup(w, p, clock, control, child)
	if stopped || err != nil {
		return err
	}
	if err := w.Ready(sdk.Ready{
		Library: sdk.Named{Name: "k6", Version: program.Version},
		Facts: map[string]any{
			"clock_grain_ns": int64(millisecond),
			"intended":       "when a message was sent: k6 keeps no schedule of its own",
			"script":         "k6/websockets, one VU a user, setInterval, JSON.parse of every message",
		},
		Capabilities: []string{"lanes"},
		Quiet:        true,
	}); err != nil {
		return err
	}

	var startNS int64
	select {
	case startNS = <-w.Started():
	case <-w.Stopped():
		child.Stop()
		return nil
	case err := <-child.Ended():
		return k6.Gone(err)
	}
	epoch := float64(clock.Wall(startNS)) / millisecond
	control.epochMS <- strconv.FormatFloat(epoch, 'f', -1, 64)
	if err := awaitEnd(w, p, startNS, child); err != nil {
		return err
	}
	if err := clock.Finish(); err != nil {
		return err
	}
	var all []points.Point
	if err := k6.Points(child, points.Parse, func(point points.Point) error {
		all = append(all, point)
		return nil
	}); err != nil {
		return err
	}
	c := &conversion{worker: w, plan: p, monotonic: clock.Monotonic, startNS: startNS, epochMS: epoch}
	return c.convert(all)
}

// awaitSetup returns when all users are made and setup() waits for the start; stopped when the
// core does not want it any more.
func awaitSetup(
	w *sdk.Worker, p *plan, clock *k6.WallClock, control *control, child *k6.Child,
) (stopped bool, err error) {
	select {
	case <-control.waiting:
		// What the preflight gave was handed over before.
		return false, writePreflight(w, p, clock.Monotonic, <-control.answers)
	case err := <-control.failed:
		child.Stop()
		return false, sdk.Fault{Class: "PreflightFailed", Message: err.Error()}
	case err := <-child.Ended():
		return false, k6.Gone(err)
	case <-w.Stopped():
		child.Stop()
		return true, nil
	}
}

// awaitEnd returns when k6 has ended, by itself or because it was time. Its users end one limit
// after the last tick.
func awaitEnd(w *sdk.Worker, p *plan, startNS int64, child *k6.Child) error {
	endNS := startNS + int64((p.EndMS+p.LimitMS)*millisecond)
	latest := time.Duration(endNS-sdk.Now()) + k6.Farewell
	select {
	case err := <-child.Ended():
		if err != nil {
			return k6.Gone(err)
		}
	case <-time.After(latest):
		child.Overdue(w)
	case <-w.Stopped():
		child.Stop()
	}
	return nil
}
