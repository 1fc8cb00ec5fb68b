package codec

import (
	"encoding/hex"
	"encoding/json"

	"wirelab.dev/sdk"
)

// answerLine is a line of the answers file.
type answerLine struct {
	Phase     sdk.Phase    `json:"phase"`
	Operation string       `json:"operation"`
	Step      string       `json:"step"`
	Tick      int          `json:"tick"`
	From      string       `json:"from,omitempty"`
	Vector    string       `json:"vector,omitempty"`
	StartNS   int64        `json:"start_ns"`
	EndNS     int64        `json:"end_ns"`
	Answer    any          `json:"answer,omitempty"`
	Error     *sdk.Failure `json:"error,omitempty"`

	AllocatedBytes *uint64 `json:"allocated_bytes,omitempty"`
}

// answerFile takes lines of the answers file.
type answerFile interface {
	Add(answer any) error
}

// preflight shows what the codec writes and reads, before anything is timed.
type preflight struct {
	shape   pooledShape
	step    string
	kept    bool
	answers answerFile
}

func (p *preflight) give() error {
	size := p.shape.size()
	encodings := make([][]byte, size)
	for tick := range 2 * size {
		instance := tick
		if tick >= size { // in reverse, so that state that leaks between messages shows
			instance = 2*size - 1 - tick
		}
		line := answerLine{Phase: sdk.Preflight, Operation: encode, Step: p.step, Tick: tick}
		line.StartNS = sdk.Now()
		encoded, err := sdk.Caught(func() ([]byte, error) { return p.shape.encode(instance) })
		line.EndNS = sdk.Now()
		if err != nil {
			line.Error = sdk.FailureOf(err)
		} else {
			line.Answer = map[string]string{"hex": hex.EncodeToString(encoded)}
			encodings[instance] = encoded
		}
		if err := p.answers.Add(line); err != nil {
			return err
		}
	}
	return p.decode(encodings)
}

// decode writes the values after the bytes they came from are gone. Where messages are used
// again, each is written before the next one is decoded.
func (p *preflight) decode(encodings [][]byte) error {
	answered := make([]answerLine, 0, len(encodings))
	values := make([]func() any, 0, len(encodings))
	for tick, encoded := range encodings {
		if encoded == nil { // that it could not be encoded is said already
			continue
		}
		line := answerLine{Phase: sdk.Preflight, Operation: decode, Step: p.step, Tick: tick}
		line.StartNS = sdk.Now()
		value, err := sdk.Caught(func() (func() any, error) { return p.shape.decode(encoded) })
		line.EndNS = sdk.Now()
		if err != nil {
			line.Error = sdk.FailureOf(err)
		} else if p.kept {
			line.say(value)
		}
		answered = append(answered, line)
		values = append(values, value)
	}
	for _, encoded := range encodings {
		for k := range encoded {
			encoded[k] = 0xAA
		}
	}
	for i := range answered {
		if answered[i].Error == nil && answered[i].Answer == nil {
			answered[i].say(values[i])
		}
		if err := p.answers.Add(answered[i]); err != nil {
			return err
		}
	}
	return nil
}

// say puts the native value into the line, in its neutral form.
func (l *answerLine) say(value func() any) {
	neutral, err := sdk.Caught(func() (json.RawMessage, error) { return neutralJSON(value()) })
	if err != nil {
		l.Error = sdk.FailureOf(err)
		return
	}
	l.Answer = map[string]json.RawMessage{"value": neutral}
}
