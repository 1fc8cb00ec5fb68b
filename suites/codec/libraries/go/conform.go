package codec

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"wirelab.dev/sdk"
)

const (
	readOthers = "read"
	truncate   = "truncate"
	reject     = "reject"

	longestCut = 2048 // lengths that are tried at most
)

// conformance tells what a codec reads of others, and what it does not refuse.
type conformance struct {
	shape   pooledShape
	step    string
	format  string
	answers answerFile
}

// read decodes what contenders of the same format have written.
func (c *conformance) read(inputs []sdk.Input) error {
	for _, from := range inputs {
		if from.Facts["format"] != c.format {
			continue
		}
		encodings, err := c.encodingsOf(from)
		if err != nil {
			return fmt.Errorf("answers of %s: %w", from.Contender, err)
		}
		for tick, encoded := range encodings {
			if encoded == nil {
				continue
			}
			line := decodedHere(c.shape, encoded)
			line.Operation, line.Tick, line.From = readOthers, tick, from.Contender
			line.AllocatedBytes = nil
			if err := c.write(line); err != nil {
				return err
			}
		}
	}
	return nil
}

// encodingsOf are the first encodings of every instance, by tick.
func (c *conformance) encodingsOf(from sdk.Input) ([][]byte, error) {
	file, err := os.Open(from.Answers)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	encodings := make([][]byte, c.shape.size())
	// A line may be longer than what a bufio.Scanner takes.
	reader := json.NewDecoder(bufio.NewReader(file))
	for {
		var line struct {
			Phase     sdk.Phase `json:"phase"`
			Operation string    `json:"operation"`
			Step      string    `json:"step"`
			Tick      int       `json:"tick"`
			Answer    struct {
				Hex *string `json:"hex"`
			} `json:"answer"`
		}
		if err := reader.Decode(&line); errors.Is(err, io.EOF) {
			return encodings, nil
		} else if err != nil {
			return nil, err
		}
		wanted := line.Phase == sdk.Preflight && line.Operation == encode && line.Step == c.step
		if !wanted || line.Tick >= len(encodings) || line.Answer.Hex == nil {
			continue
		}
		if encodings[line.Tick], err = hex.DecodeString(*line.Answer.Hex); err != nil {
			return nil, err
		}
	}
}

// truncated tells which beginnings of the own encoding of instance 0 are taken for a whole.
func (c *conformance) truncated() error {
	line := answerLine{Operation: truncate, StartNS: sdk.Now()}
	encoded, err := sdk.Caught(func() ([]byte, error) { return c.shape.encode(0) })
	if err != nil {
		line.EndNS, line.Error = sdk.Now(), sdk.FailureOf(err)
		return c.write(line)
	}
	accepted := []int{}
	for length := range min(len(encoded), longestCut) {
		// A copy without room behind it: reading too far must not find the rest.
		cut := append(make([]byte, 0, length), encoded[:length]...)
		if _, err := sdk.Caught(func() (any, error) { return decoded(c.shape, cut) }); err == nil {
			accepted = append(accepted, length)
		}
	}
	line.EndNS = sdk.Now()
	line.Answer = map[string]any{"length": len(encoded), "accepted": accepted}
	return c.write(line)
}

// vector is a bad input.
type vector struct {
	Name   string `json:"name"`
	Format string `json:"format"`
	Step   string `json:"step"`
	Hex    string `json:"hex"`
}

// rejected offers the bad inputs of the own format that belong to the step.
func (c *conformance) rejected(suite string) error {
	vectors, err := readVectors(suite)
	if err != nil {
		return err
	}
	for number, bad := range vectors {
		if bad.Format != c.format || bad.Step != c.step {
			continue
		}
		encoded, err := hex.DecodeString(bad.Hex)
		if err != nil {
			return fmt.Errorf("vector %s: %w", bad.Name, err)
		}
		line, err := decodedApart(c.step, encoded)
		if err != nil {
			return fmt.Errorf("vector %s: %w", bad.Name, err)
		}
		line.Operation, line.Tick, line.Vector = reject, number, bad.Name
		if err := c.write(line); err != nil {
			return err
		}
	}
	return nil
}

func readVectors(suite string) ([]vector, error) {
	text, err := os.ReadFile(filepath.Join(suite, "vectors", "negative.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	var vectors []vector
	if err := json.Unmarshal(text, &vectors); err != nil {
		return nil, fmt.Errorf("vectors: %w", err)
	}
	return vectors, nil
}

func (c *conformance) write(line answerLine) error {
	line.Phase, line.Step = sdk.Measure, c.step
	return c.answers.Add(line)
}
