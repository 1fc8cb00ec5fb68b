package kv

import (
	"context"
	"fmt"
	"sync"

	"wirelab.dev/sdk"
)

// Answer is what the verifier gets of a multi-get.
type Answer struct {
	MultiGet uint64 `json:"multi_get"`
	Set      int64  `json:"set"`
	Keys     int64  `json:"keys"`
	Found    int    `json:"found"`
	Checksum string `json:"checksum"`
}

// reader performs the operation read.
type reader[B any] struct {
	connection *connection[B]
	errors     sdk.Errors
	// True where the server loses its records when it is restarted.
	forgets bool
	// By the name of the step; steps that draw alike have the same multi-gets.
	steps map[string]*multiGets[B]
}

// multiGets are those of a step.
type multiGets[B any] struct {
	draw     draw
	prepared [multiGetsPerStep]prepared[B]
}

type prepared[B any] struct {
	multiGet B

	mutex sync.Mutex
	// Summary that the multi-get gave first; nil before. Of a server that forgets: the most.
	first *rowSummary
}

func newReader[B any](
	spec *sdk.Spec, contender *Contender[B], connection *connection[B],
) (*reader[B], error) {
	r := &reader[B]{connection: connection, errors: contender.Errors, steps: make(map[string]*multiGets[B])}
	r.forgets, _ = spec.Facts["server"]["forgets"].(bool)
	steps := spec.Schedule.Steps
	if len(steps) == 0 {
		steps = []sdk.Step{{}} // its parameters are the spec's
	}
	drawn := make(map[draw]*multiGets[B])
	for number := range steps {
		step := &steps[number]
		draw, err := drawOf(spec, step)
		if err == nil && drawn[draw] == nil {
			drawn[draw], err = prepare(spec.Seed, draw, contender.Prepare)
		}
		if err != nil {
			return nil, fmt.Errorf("step %s: %w", step.Name, err)
		}
		r.steps[step.Name] = drawn[draw]
	}
	return r, nil
}

func drawOf(spec *sdk.Spec, step *sdk.Step) (draw, error) {
	var errs [4]error
	var kind string
	var d draw
	d.set, errs[0] = sdk.StepParameter(spec, step, "set", int64(1))
	d.keys, errs[1] = sdk.StepParameter(spec, step, "keys", int64(50))
	d.universe, errs[2] = sdk.StepParameter(spec, step, "universe", int64(10000))
	kind, errs[3] = sdk.StepParameter(spec, step, "keys_are", "drawn")
	for _, err := range errs {
		if err != nil {
			return d, err
		}
	}
	if kind != "drawn" && kind != "repeated" {
		return d, fmt.Errorf("keys_are must be drawn or repeated, found %q", kind)
	}
	d.repeated = kind == "repeated"
	return d, d.check()
}

func prepare[B any](
	seed uint64, draw draw, prepare func(set int64, keys []string) (B, error),
) (*multiGets[B], error) {
	made := &multiGets[B]{draw: draw}
	for number := range made.prepared {
		multiGet, err := prepare(draw.set, draw.multiGet(seed, uint64(number)))
		if err != nil {
			return nil, err
		}
		made.prepared[number].multiGet = multiGet
	}
	return made, nil
}

// read asks for the multi-get of a tick and lane. The checks are not within its time.
func (r *reader[B]) read(ctx context.Context, call *sdk.Call) sdk.Outcome {
	multiGets := r.steps[call.Step.Name]
	number := multiGetOf(call.Tick, call.Lane)
	asked := &multiGets.prepared[number]
	call.Begin()
	rows, err := r.rows(ctx, asked.multiGet)
	call.End()
	if err != nil {
		return r.errors.Outcome(ctx, err)
	}
	seen := rows.summary()
	if complaint := asked.complaint(seen, len(rows), multiGets.draw, r.forgets); complaint != nil {
		return *complaint
	}
	return sdk.Outcome{Size: uint32(seen.found), Answer: func() any {
		return Answer{
			MultiGet: number, Set: multiGets.draw.set, Keys: multiGets.draw.keys, Found: seen.found,
			Checksum: fmt.Sprintf("%016x", rows.checksum()),
		}
	}}
}

// rows are those of a multi-get; who is not connected yet connects.
func (r *reader[B]) rows(ctx context.Context, multiGet B) (Rows, error) {
	store, err := r.connection.store(ctx)
	if err != nil {
		return nil, err
	}
	return store.Read(ctx, multiGet)
}

// complaint is the outcome of a multi-get that did not give what it did before; nil where it did. Records
// that a server has forgotten are missing, and no wrong answer.
func (p *prepared[B]) complaint(seen rowSummary, rows int, draw draw, forgets bool) *sdk.Outcome {
	if int64(rows) != draw.keys {
		return faulty(sdk.WrongAnswer, "WrongAnswer", fmt.Sprintf("%d results of %d keys", rows, draw.keys))
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.first == nil || forgets && seen.found > p.first.found {
		p.first = &seen
	}
	if *p.first == seen {
		return nil
	}
	said := fmt.Sprintf("found %d with a sum of %d, before %d with %d",
		seen.found, seen.sumC0, p.first.found, p.first.sumC0)
	if forgets && seen.found < p.first.found {
		return faulty(sdk.ItemError, "MissingRecords", said)
	}
	return faulty(sdk.WrongAnswer, "WrongAnswer", said)
}

func faulty(status uint8, class, message string) *sdk.Outcome {
	return &sdk.Outcome{Status: status, Fault: &sdk.Fault{Class: class, Message: message}}
}
