package codec

import (
	"encoding/hex"
	"encoding/json"
	"fmt"

	"wirelab.dev/sdk"
)

// answerLine is a line of the answers file.
type answerLine struct {
	Phase     sdk.Phase `json:"phase"`
	Operation string    `json:"operation"`
	Step      string    `json:"step"`
	Tick      int       `json:"tick"`
	From      string    `json:"from,omitempty"`
	Vector    string    `json:"vector,omitempty"`
	StartNS   int64     `json:"start_ns"`
	EndNS     int64     `json:"end_ns"`
	Answer    any       `json:"answer,omitempty"`
	Error     *failure  `json:"error,omitempty"`

	AllocatedBytes *uint64 `json:"allocated_bytes,omitempty"`
}

// failure is what a library threw: its class is the error's type.
type failure struct {
	Class   string `json:"class"`
	Message string `json:"message"`
}

func failureOf(err error) *failure {
	if p, ok := err.(panicked); ok {
		return &failure{Class: fmt.Sprintf("panic %T", p.value), Message: p.Error()}
	}
	return &failure{Class: fmt.Sprintf("%T", err), Message: err.Error()}
}

// panicked is a panic of a library, which is its way to fail like any other.
type panicked struct{ value any }

func (p panicked) Error() string { return fmt.Sprint(p.value) }

// caught calls what may panic.
func caught[T any](call func() (T, error)) (result T, err error) {
	defer func() {
		if value := recover(); value != nil {
			err = panicked{value}
		}
	}()
	return call()
}

// preflight shows what the codec writes and reads, before anything is timed.
type preflight struct {
	track   track
	step    string
	kept    bool
	answers *lines
}

func (p *preflight) give() error {
	size := p.track.size()
	encodings := make([][]byte, size)
	for tick := range 2 * size {
		instance := tick
		if tick >= size { // in reverse, so that state that leaks between messages shows
			instance = 2*size - 1 - tick
		}
		line := answerLine{Phase: sdk.Preflight, Operation: encode, Step: p.step, Tick: tick}
		line.StartNS = sdk.Now()
		encoded, err := caught(func() ([]byte, error) { return p.track.encode(instance) })
		line.EndNS = sdk.Now()
		if err != nil {
			line.Error = failureOf(err)
		} else {
			line.Answer = map[string]string{"hex": hex.EncodeToString(encoded)}
			encodings[instance] = encoded
		}
		if err := p.answers.write(line); err != nil {
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
		value, err := caught(func() (func() any, error) { return p.track.decode(encoded) })
		line.EndNS = sdk.Now()
		if err != nil {
			line.Error = failureOf(err)
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
		if err := p.answers.write(answered[i]); err != nil {
			return err
		}
	}
	return nil
}

// say puts the native value into the line, in its neutral form.
func (l *answerLine) say(value func() any) {
	neutral, err := caught(func() (json.RawMessage, error) { return neutralJSON(value()) })
	if err != nil {
		l.Error = failureOf(err)
		return
	}
	l.Answer = map[string]json.RawMessage{"value": neutral}
}
