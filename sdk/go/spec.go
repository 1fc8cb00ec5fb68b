package sdk

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"
)

// contract is the version of the worker contract that this package speaks.
const contract = 2

// Spec is what the core asks of this process: one role of one trial.
type Spec struct {
	Contract   int                        `json:"contract"`
	Trial      string                     `json:"trial"`
	Suite      string                     `json:"suite"`
	Scenario   string                     `json:"scenario"`
	Variant    string                     `json:"variant"`
	Contender  string                     `json:"contender"`
	Role       string                     `json:"role"`
	Seed       uint64                     `json:"seed"`
	Parameters map[string]json.RawMessage `json:"parameters"`
	Listen     string                     `json:"listen"`
	Endpoints  map[string]string          `json:"endpoints"`
	Facts      map[string]map[string]any  `json:"facts"`
	Operations map[string]Operation       `json:"operations"`
	Schedule   Schedule                   `json:"schedule"`
	Verify     Verify                     `json:"verify"`
	Paths      Paths                      `json:"paths"`
	Limits     Limits                     `json:"limits"`
	// Batches is nil where nothing is repeated in batches.
	Batches *BatchPlan `json:"batches"`
	Inputs  []Input    `json:"inputs"`

	inOrder namesInOrder // of the operations
}

// Operation is a kind of timed call.
type Operation struct {
	Code       uint8  `json:"code"`
	Every      int64  `json:"every"`
	Items      int64  `json:"items"`
	DeadlineNS *int64 `json:"deadline_ns"`
	// Due is "join" for what every user does once, "step" for what every user does once in every
	// step of a closed loop; otherwise it is done at ticks.
	Due string `json:"due"`
	// Record is "intervals" for what happens too often for a record each, "batches" for what is too
	// short for a stamp each.
	Record string `json:"record"`
}

// Schedule holds the times of the ticks, relative to the start. In a closed loop they have none.
type Schedule struct {
	// Loop is "open", "paced" or "closed"; "open" where the spec leaves it out.
	Loop     string `json:"loop"`
	FirstNS  int64  `json:"first_ns"`
	PeriodNS int64  `json:"period_ns"`
	Count    int64  `json:"count"`
	Warmup   int64  `json:"warmup"`
	Cycle    Cycle  `json:"cycle"`
	Steps    []Step `json:"steps"`
}

// Cycle says when a lane is due: at Active ticks of every Length.
type Cycle struct {
	Length int64 `json:"length"`
	Active int64 `json:"active"`
}

// Step is a part of the schedule with a load of its own: Count ticks from First on, the first
// Settle of them in no figure.
type Step struct {
	Name   string `json:"name"`
	First  int64  `json:"first"`
	Count  int64  `json:"count"`
	Settle int64  `json:"settle"`
	Users  int64  `json:"users"`
	Lanes  int64  `json:"lanes"`
	JoinNS int64  `json:"join_ns"`
	// Parameters count before those of the spec.
	Parameters map[string]json.RawMessage `json:"parameters"`
}

// Verify names the operations that are performed, and answered, before timing.
type Verify struct {
	Preflight map[string]int64 `json:"preflight"`
	// Ticks are those whose answers a generator writes without being asked; a client has none.
	Ticks map[string][]int64 `json:"ticks"`
}

// Paths are the files of this worker.
type Paths struct {
	Samples   string `json:"samples"`
	Answers   string `json:"answers"`
	Intervals string `json:"intervals"`
	Batches   string `json:"batches"`
	Scratch   string `json:"scratch"`
}

// Limits say how long things may take, in nanoseconds.
type Limits struct {
	ReadyNS     int64 `json:"ready_ns"`
	OperationNS int64 `json:"operation_ns"`
	StopNS      int64 `json:"stop_ns"`
}

// Operation is how long a call may take.
func (l Limits) Operation() time.Duration { return time.Duration(l.OperationNS) }

// Scalar is a type that parameters have.
type Scalar interface {
	bool | int64 | float64 | string
}

// Parameter is the parameter called name, or fallback where the spec has none. A value of
// another type is an error.
func Parameter[T Scalar](s *Spec, name string, fallback T) (T, error) {
	return StepParameter(s, nil, name, fallback)
}

// StepParameter is [Parameter] in a step, whose own parameters count before those of the spec. A
// nil step has none.
func StepParameter[T Scalar](s *Spec, step *Step, name string, fallback T) (T, error) {
	raw, ok := s.Parameters[name]
	if step != nil {
		if own, found := step.Parameters[name]; found {
			raw, ok = own, true
		}
	}
	if !ok {
		return fallback, nil
	}
	var value T
	if err := json.Unmarshal(raw, &value); err != nil {
		return fallback, fmt.Errorf("parameter %s must be %T, found %s", name, fallback, raw)
	}
	return value, nil
}

func readSpec(path string) (*Spec, error) {
	if path == "" {
		return nil, errors.New("WIRELAB_SPEC is not set: this program is started by wirelab")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the spec: %w", err)
	}
	spec := &Spec{Listen: "127.0.0.1:0", Schedule: Schedule{Loop: "open", Cycle: Cycle{Length: 1, Active: 1}}}
	if err := json.Unmarshal(text, spec); err != nil {
		return nil, fmt.Errorf("%s is not a spec: %w", path, err)
	}
	if spec.Contract != contract {
		return nil, fmt.Errorf("%s is not a spec of worker contract %d", path, contract)
	}
	if spec.Role == "" || spec.Paths.Samples == "" || spec.Paths.Answers == "" || spec.Limits.StopNS <= 0 {
		return nil, fmt.Errorf("%s breaks the contract: role, paths and limits are needed", path)
	}
	var order struct {
		Operations namesInOrder `json:"operations"`
	}
	if err := json.Unmarshal(text, &order); err != nil {
		return nil, fmt.Errorf("%s is not a spec: %w", path, err)
	}
	spec.inOrder = order.Operations
	return spec, errors.Join(spec.Schedule.check(), spec.Batches.check())
}
