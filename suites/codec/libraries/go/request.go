package codec

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
)

// request is the part of the spec that is about batches.
type request struct {
	Operations operations `json:"operations"`
	Batches    batchPlan  `json:"batches"`
	Inputs     []input    `json:"inputs"`
	Paths      struct {
		Answers string `json:"answers"`
		Batches string `json:"batches"`
	} `json:"paths"`
}

// batchPlan says which shapes are worked on, and how long.
type batchPlan struct {
	Steps []string `json:"steps"`
	// Rounds above 0 are those of every batch: no calibration, no warming up.
	Rounds   int     `json:"rounds"`
	BatchNS  int64   `json:"batch_ns"`
	Count    int     `json:"count"`
	WarmupNS int64   `json:"warmup_ns"`
	Agree    float64 `json:"agree"`
}

// input is what a contender answered in another scenario.
type input struct {
	Contender string `json:"contender"`
	Facts     struct {
		Format string `json:"format"`
	} `json:"facts"`
	Answers string `json:"answers"`
}

// operations are those of the spec in its order.
type operations []operation

type operation struct {
	name   string
	record string
}

func (o operations) asks(name string) bool {
	for _, one := range o {
		if one.name == name {
			return true
		}
	}
	return false
}

// UnmarshalJSON keeps the order of the object's keys, which a map would lose.
func (o *operations) UnmarshalJSON(text []byte) error {
	reader := json.NewDecoder(bytes.NewReader(text))
	if start, err := reader.Token(); err != nil || start != json.Delim('{') {
		return errors.New("operations must be an object")
	}
	for reader.More() {
		name, err := reader.Token()
		if err != nil {
			return err
		}
		var settings struct {
			Record string `json:"record"`
		}
		if err := reader.Decode(&settings); err != nil {
			return err
		}
		*o = append(*o, operation{name: name.(string), record: settings.Record})
	}
	return nil
}

// readRequest reads the spec once more: the SDK keeps what all suites have.
func readRequest(path string) (*request, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the spec: %w", err)
	}
	r := &request{}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("%s is not a spec of batches: %w", path, err)
	}
	if len(r.Batches.Steps) == 0 || r.Paths.Batches == "" {
		return nil, fmt.Errorf("%s is not a spec of batches: steps and paths.batches are needed", path)
	}
	if r.Batches.Count > 0 && r.Batches.Rounds <= 0 && r.Batches.BatchNS <= 0 {
		return nil, fmt.Errorf("%s asks for batches without a length", path)
	}
	return r, nil
}
