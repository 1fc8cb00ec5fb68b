// k6-worker is a load generator of the suite: a worker of the contract that has k6 do its work.
package main

import (
	"fmt"
	"time"

	"wirelab.dev/sdk"
	"wirelab.dev/sdk/k6"
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
	if err := preflight(w, p); err != nil {
		return err
	}
	if err := w.Ready(sdk.Ready{
		Library: sdk.Named{Name: "k6", Version: program.Version},
		Facts: map[string]any{
			"intended": "when a request was sent: a closed loop",
			"script":   "k6/http, one VU a user, per-vu-iterations, a run a step",
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
		return nil
	}
	select {
	case <-time.After(time.Duration(startNS - sdk.Now())):
	case <-w.Stopped():
		return nil
	}
	for number := range w.Spec.Schedule.Steps {
		r := &run{worker: w, plan: p, startNS: startNS, number: number, step: w.Spec.Schedule.Steps[number]}
		stopped, err := r.play(program)
		if err != nil {
			return fmt.Errorf("step %s: %w", r.step.Name, err)
		}
		if stopped {
			return nil
		}
	}
	return nil
}
