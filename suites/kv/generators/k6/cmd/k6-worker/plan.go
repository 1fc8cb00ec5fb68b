package main

import (
	"fmt"
	"slices"
	"strconv"

	"wirelab.dev/sdk"
	"wirelab.dev/sdk/k6"
)

const (
	millisecond = 1_000_000
	second      = 1_000_000_000
	mostLanes   = 65_536 // lanes of records are 16 bits wide
	request     = "request"
	httpSpan    = "http"
	// k6 is ended by this worker; it has limits of its own in case that is gone.
	ownEndMS = 60_000
)

// plan is what is asked of all steps.
type plan struct {
	spec     *sdk.Spec
	requests []*requests // by step
	// spans are the operations that Server-Timing tells of, by the names it has for them.
	spans map[string]string
	// withHTTP: the scenario has the span `http`.
	withHTTP bool
}

// stepPlan is what the users of a step are to do, as users.js reads it.
type stepPlan struct {
	URLs    []string `json:"urls"`
	Barrier string   `json:"barrier"`
	Lanes   int64    `json:"lanes"`
	First   int64    `json:"first"`
	Count   int64    `json:"count"`
	Settle  int64    `json:"settle"`
	LimitMS int64    `json:"limit_ms"`
	MostMS  int64    `json:"most_ms"`
	// Verified are lanes by tick.
	Verified map[string]int64 `json:"verified"`

	// numbers of the requests, by lane and tick of the step.
	numbers [][]int
}

func planOf(spec *sdk.Spec) (*plan, error) {
	if spec.Schedule.Loop != "closed" || len(spec.Schedule.Steps) == 0 {
		return nil, k6.Unsupported("the users of the k6 script ask in closed loops with steps")
	}
	endpoint, err := endpointOf(spec)
	if err != nil {
		return nil, err
	}
	p := &plan{spec: spec, spans: map[string]string{}}
	for number := range spec.Schedule.Steps {
		step := &spec.Schedule.Steps[number]
		if step.Lanes < 1 || step.Lanes > mostLanes {
			return nil, fmt.Errorf("step %s has %d lanes: expected 1 to %d", step.Name, step.Lanes, mostLanes)
		}
		if step.Settle >= step.Count {
			return nil, fmt.Errorf("step %s has no tick that counts", step.Name)
		}
		made, err := requestsOf(spec, step, endpoint)
		if err != nil {
			return nil, fmt.Errorf("step %s: %w", step.Name, err)
		}
		p.requests = append(p.requests, made)
	}
	return p, p.readOperations()
}

// endpointOf is that of the one role that speaks HTTP.
func endpointOf(spec *sdk.Spec) (string, error) {
	var found []string
	for role, endpoint := range spec.Endpoints {
		if spec.Facts[role]["protocol"] == "http" {
			found = append(found, endpoint)
		}
	}
	if len(found) != 1 {
		return "", fmt.Errorf("the fact `protocol` of one role must be `http`, that of %d is", len(found))
	}
	return found[0], nil
}

func (p *plan) readOperations() error {
	for name, operation := range p.spec.Operations {
		switch {
		case operation.Record != "intervals" && name == request && operation.Every <= 1:
		case operation.Record != "intervals" || name == "queue":
			return k6.Unsupported("the users of the k6 script have no operation %s", name)
		case name == httpSpan:
			p.withHTTP = true
		case name == "server-time":
			p.spans["total"] = name
		default:
			p.spans[name] = name
		}
	}
	if _, ok := p.spec.Operations[request]; !ok {
		return fmt.Errorf("operations has no %s", request)
	}
	return nil
}

// step is the plan of one step, with the URL at which its users wait for each other.
func (p *plan) step(number int, barrier string) *stepPlan {
	step, of := p.spec.Schedule.Steps[number], p.requests[number]
	s := &stepPlan{
		URLs: of.urls, Barrier: barrier,
		Lanes: step.Lanes, First: step.First, Count: step.Count, Settle: step.Settle,
		LimitMS:  p.spec.Limits.OperationNS / millisecond,
		MostMS:   (p.settlingNS(step)+p.countingNS(step))/millisecond + ownEndMS,
		Verified: map[string]int64{},
		numbers:  make([][]int, step.Lanes),
	}
	for lane := range step.Lanes {
		for tick := step.First; tick < step.First+step.Count; tick++ {
			s.numbers[lane] = append(s.numbers[lane], of.number(tick, lane))
		}
	}
	for _, tick := range p.spec.Verify.Ticks[request] {
		if step.First <= tick && tick < step.First+step.Count {
			s.Verified[strconv.FormatInt(tick, 10)] = tick % step.Lanes
		}
	}
	return s
}

// settlingNS is how long the settling of a step may take.
func (p *plan) settlingNS(step sdk.Step) int64 {
	return step.Settle*p.spec.Schedule.PeriodNS + p.spec.Limits.OperationNS
}

// countingNS is how long a step may take after it began.
func (p *plan) countingNS(step sdk.Step) int64 {
	return (step.Count-step.Settle)*p.spec.Schedule.PeriodNS + p.spec.Limits.OperationNS
}

// isVerified says whether the answer of a lane at a tick is to be written.
func (p *plan) isVerified(step sdk.Step, tick, lane int64) bool {
	return tick%step.Lanes == lane && slices.Contains(p.spec.Verify.Ticks[request], tick)
}
