package sdk

import (
	"bytes"
	"encoding/json"
	"errors"
)

// BatchPlan says which steps are repeated in batches, and how long.
type BatchPlan struct {
	Steps []string `json:"steps"`
	// Iterations above 0 are those of every batch: no calibration, no warming up.
	Iterations int     `json:"rounds"`
	BatchNS    int64   `json:"batch_ns"`
	Count      int     `json:"count"`
	WarmupNS   int64   `json:"warmup_ns"`
	Agree      float64 `json:"agree"`
	// Counted says that somebody counts the instructions, so that nothing may depend on time.
	Counted bool `json:"counted"`
}

func (p *BatchPlan) check() error {
	switch {
	case p == nil:
		return nil
	case len(p.Steps) == 0:
		return errors.New("batches.steps: missing")
	case p.Count > 0 && p.Iterations <= 0 && p.BatchNS <= 0:
		return errors.New("batches: iterations or batch_ns is needed")
	}
	return nil
}

// Input is what a contender answered in another scenario, and what it said of itself there.
type Input struct {
	Contender string         `json:"contender"`
	Facts     map[string]any `json:"facts"`
	Answers   string         `json:"answers"`
}

// namesInOrder are the keys of an object in its order, which a map would lose.
type namesInOrder []string

func (n *namesInOrder) UnmarshalJSON(text []byte) error {
	reader := json.NewDecoder(bytes.NewReader(text))
	if start, err := reader.Token(); err != nil || start != json.Delim('{') {
		return errors.New("batches.steps: expected an object")
	}
	for reader.More() {
		name, err := reader.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := reader.Decode(&value); err != nil {
			return err
		}
		*n = append(*n, name.(string))
	}
	return nil
}
