package codec

import (
	"errors"
	"fmt"
	"os"

	"wirelab.dev/sdk"
)

// stringModel is what folds count: Go's own strings are UTF-8.
const stringModel = "utf-8"

// Main is the worker; contender makes the codecs, tuned by the parameters of the spec.
func Main(contender func(*sdk.Spec) (Contender, error)) {
	if step := os.Getenv(apartStep); step != "" {
		if err := performApart(contender, step); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	sdk.Main(func(w *sdk.Worker) error {
		c, err := contender(w.Spec)
		if err != nil {
			return err
		}
		return work(w, c)
	})
}

// session is one run of a contender through all steps.
type session struct {
	contender Contender
	suite     string
	worker    *sdk.Worker
}

func work(w *sdk.Worker, c Contender) error {
	s := &session{contender: c, suite: os.Getenv("CODEC_SUITE"), worker: w}
	if s.suite == "" {
		return errors.New("CODEC_SUITE is not set: it is the folder of the suite")
	}
	if w.Spec.Batches == nil {
		return errors.New("the spec has no batches: this worker only repeats batches")
	}
	strings, err := sdk.Parameter(w.Spec, "strings", stringModel)
	if err == nil && strings != stringModel {
		err = fmt.Errorf("strings are %s in Go, not %s", stringModel, strings)
	}
	if err != nil {
		return err
	}
	operations, err := s.operations()
	if err != nil {
		return err
	}
	if err := w.Ready(sdk.Ready{Library: c.Library, Facts: map[string]any{
		"format": c.Format, "strings": stringModel, "operations": operations,
	}}); err != nil {
		return err
	}
	return w.Repeat(s.at)
}

// asks says whether the scenario has an operation.
func (s *session) asks(operation string) bool {
	_, asked := s.worker.Spec.Operations[operation]
	return asked
}

// operations are those that the contender has; they are the same for every shape.
func (s *session) operations() ([]string, error) {
	switch {
	case s.asks(backward): // a change of the record, in which nothing is repeated
		return []string{}, nil
	case s.asks(once):
		return directions, nil
	}
	t, err := s.contender.open(s.suite, s.worker.Spec.Batches.Steps[0])
	if err != nil {
		return nil, err
	}
	var has []string
	for _, name := range timed {
		its, err := sdk.Caught(func() (repeated, error) { return t.loop(name) })
		// One that has it and cannot prepare it says so when it is timed.
		if its.run != nil || err != nil {
			has = append(has, name)
		}
	}
	return has, nil
}

// at prepares a step.
func (s *session) at(step string) (sdk.Repeated, error) {
	switch {
	case s.asks(backward):
		change := evolution{s.contender.Versions, step, s.worker.Answers}
		return sdk.Repeated{
			Loop:   func(string) (*sdk.Loop, error) { return nil, nil },
			Answer: func() error { return change.answer(s.suite) },
		}, nil
	case s.asks(once):
		large := largeStep{s.contender, s.suite, step}
		return sdk.Repeated{
			Loop:   large.loop,
			Answer: func() error { return large.answer(s.worker.Answers) },
		}, nil
	}
	t, err := s.contender.open(s.suite, step)
	return sdk.Repeated{
		Loop: func(operation string) (*sdk.Loop, error) {
			its, err := t.loop(operation)
			if its.run == nil || err != nil {
				return nil, err
			}
			return &sdk.Loop{Run: its.run, Inputs: t.size(), Audit: its.audit}, nil
		},
		Answer: func() error { return s.answer(t, step) },
	}, err
}

// answer gives the preflight of a step, and what the scenario wants to know of its decoder.
func (s *session) answer(t pooledShape, step string) error {
	if s.contender.Format == FormatNone {
		return nil
	}
	answers := s.worker.Answers
	preflight := preflight{shape: t, step: step, kept: s.contender.Kept, answers: answers}
	if err := preflight.give(); err != nil {
		return err
	}
	c := conformance{shape: t, step: step, format: s.contender.Format, answers: answers}
	if s.asks(readOthers) {
		if err := c.read(s.worker.Spec.Inputs); err != nil {
			return err
		}
	}
	if s.asks(truncate) {
		if err := c.truncated(); err != nil {
			return err
		}
	}
	if s.asks(reject) {
		return c.rejected(s.suite)
	}
	return nil
}
