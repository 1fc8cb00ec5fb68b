// k6-worker is a load generator of the suite: a worker of the contract that has k6 do its work.
package main

import (
	"fmt"
	"strconv"
	"time"

	"wirelab.dev/sdk"
)

const (
	// k6 ends its users one limit after the last tick; then it has this to end itself.
	k6Farewell = 2 * time.Second
	// An interrupted k6 writes what it has.
	k6Patience = time.Second
)

func main() {
	sdk.Main(generate)
}

func generate(w *sdk.Worker) error {
	p, err := planOf(w.Spec)
	if err != nil {
		return err
	}
	program, version, err := k6Program()
	if err != nil {
		return err
	}
	control, err := newControl()
	if err != nil {
		return err
	}
	defer control.close()
	p.Control = control.url()
	clock := newWallClock()
	k6, err := startK6(program, w.Spec.Paths.Scratch, p)
	if err != nil {
		return fmt.Errorf("k6: %w", err)
	}
	defer k6.clear()

	stopped, err := awaitSetup(w, p, clock, control, k6)
	if stopped || err != nil {
		return err
	}
	if err := w.Ready(sdk.Ready{
		Library: sdk.Named{Name: "k6", Version: version},
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
		k6.stop(k6Patience)
		return nil
	case err := <-k6.ended:
		return gone(err)
	}
	epoch := float64(startNS-clock.firstOffset) / millisecond
	control.epochMS <- strconv.FormatFloat(epoch, 'f', -1, 64)
	if err := awaitEnd(w, p, startNS, k6); err != nil {
		return err
	}
	if err := clock.finish(); err != nil {
		return err
	}
	all, err := readPoints(k6.folder)
	if err != nil {
		return err
	}
	c := &conversion{worker: w, plan: p, clock: clock, startNS: startNS, epochMS: epoch}
	return c.convert(all)
}

// awaitSetup returns when all users are made and setup() waits for the start; stopped when the
// core does not want it any more.
func awaitSetup(
	w *sdk.Worker, p *plan, clock *wallClock, control *control, k6 *child,
) (stopped bool, err error) {
	select {
	case <-control.waiting:
		// What the preflight gave was handed over before.
		return false, writePreflight(w, p, clock, <-control.answers)
	case reason := <-control.failed:
		k6.stop(k6Patience)
		return false, sdk.Fault{Class: "PreflightFailed", Message: reason}
	case err := <-k6.ended:
		return false, gone(err)
	case <-w.Stopped():
		k6.stop(k6Patience)
		return true, nil
	}
}

// awaitEnd returns when k6 has ended, by itself or because it was time.
func awaitEnd(w *sdk.Worker, p *plan, startNS int64, k6 *child) error {
	endNS := startNS + int64((p.EndMS+p.LimitMS)*millisecond)
	latest := time.Duration(endNS-sdk.Now()) + k6Farewell
	select {
	case err := <-k6.ended:
		if err != nil {
			return gone(err)
		}
	case <-time.After(latest):
		w.Fault(sdk.Fault{
			Class: "K6Late", Scope: sdk.CallScope,
			Message: fmt.Sprintf("k6 had not ended %v after its users were to: interrupted", k6Farewell),
		})
		k6.stop(k6Patience)
	case <-w.Stopped():
		k6.stop(k6Patience)
	}
	return nil
}

func gone(err error) error {
	message := "k6 ended although nothing had told it to"
	if err != nil {
		message = fmt.Sprintf("k6 ended: %v; standard error says why", err)
	}
	return sdk.Fault{Class: "K6Ended", Message: message}
}
