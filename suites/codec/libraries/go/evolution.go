package codec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"wirelab.dev/sdk"
)

const (
	backward = "backward" // new code reads old data
	forward  = "forward"  // old code reads new data
	rewrite  = "rewrite"  // old code reads new data and hands it on to new code

	formerVersion = "base"
)

var levels = []string{"none", "low", "high", "critical"}

// evolution tells what is read of data that another version has written.
type evolution struct {
	versions Versions
	change   string
	answers  answerFile
}

func (e *evolution) answer(suite string) error {
	old, changed, err := readingsOf(suite, e.change)
	if err != nil {
		return err
	}
	former, hasFormer := e.versions[formerVersion]
	later, hasLater := e.versions[e.change]
	if !hasFormer || !hasLater {
		return fmt.Errorf("no version of the record is called %q", e.change)
	}
	for tick, reading := range old {
		if err := e.say(backward, tick, former.Write, later.Read, reading); err != nil {
			return err
		}
	}
	for tick, reading := range changed {
		if err := e.say(forward, tick, later.Write, former.Read, reading); err != nil {
			return err
		}
		handedOn := func(reading Reading) ([]byte, error) {
			encoded, err := later.Write(reading)
			if err != nil {
				return nil, err
			}
			return former.Again(encoded)
		}
		if err := e.say(rewrite, tick, handedOn, later.Read, reading); err != nil {
			return err
		}
	}
	return nil
}

func (e *evolution) say(
	operation string, tick int, write func(Reading) ([]byte, error),
	read func([]byte) (any, error), reading Reading,
) error {
	line := answerLine{Phase: sdk.Measure, Operation: operation, Step: e.change, Tick: tick}
	line.StartNS = sdk.Now()
	value, err := sdk.Caught(func() (any, error) {
		encoded, err := write(reading)
		if err != nil {
			return nil, err
		}
		return read(encoded)
	})
	line.EndNS = sdk.Now()
	if err != nil {
		line.Error = sdk.FailureOf(err)
	} else {
		line.say(func() any { return value })
	}
	return e.answers.Add(line)
}

// readingsOf are the values that are written before and after a change.
func readingsOf(suite, change string) (old, changed []Reading, err error) {
	path := filepath.Join(suite, "vectors", "evolution.json")
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	var changes map[string]struct{ Old, New []Reading }
	reader := json.NewDecoder(bytes.NewReader(text))
	reader.UseNumber() // a float64 would stand in the place of every integer
	if err := reader.Decode(&changes); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	both, has := changes[change]
	if !has {
		return nil, nil, fmt.Errorf("%s: no change is called %q", path, change)
	}
	for _, reading := range slices.Concat(both.Old, both.New) {
		if err := reading.settle(); err != nil {
			return nil, nil, fmt.Errorf("%s: %s: %w", path, change, err)
		}
	}
	return both.Old, both.New, nil
}

// settle gives the fields the types that a Reading has.
func (r Reading) settle() (err error) {
	for name, value := range r {
		if number, is := value.(json.Number); is {
			if r[name], err = number.Int64(); err != nil {
				return err
			}
		}
	}
	level, _ := r["level"].(string)
	r["level"] = int64(slices.Index(levels, level))
	return nil
}
