package sdk

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
)

const (
	// The contract wants no more of one class: a lost server would fill the core's disk.
	errorsPerClass = 100
	// Escaped control characters take six bytes each, and a line has 64 KiB.
	longestText = 5000
)

// events writes one JSON object a line, in one write each.
type events struct {
	mutex  sync.Mutex
	output io.Writer
	errors map[string]int
}

func (e *events) emit(event any) {
	line, err := json.Marshal(event)
	if err != nil {
		fmt.Fprintln(os.Stderr, "wirelab.dev/sdk: event left out:", err)
		return
	}
	e.mutex.Lock()
	defer e.mutex.Unlock()
	// A core that has gone says so by the end of standard input, which ends this worker.
	_, _ = e.output.Write(append(line, '\n'))
}

// Scope says what an error ended.
type Scope string

// The scopes of an error.
const (
	CallScope  Scope = "call"
	ItemScope  Scope = "item"
	FatalScope Scope = "fatal"
)

// Fault is an error as the caller of the library sees it. A worker that returns one (or wraps it)
// fails with its class and status.
type Fault struct {
	Class      string
	Status     string
	Message    string
	Scope      Scope
	Operation  string
	IntendedNS int64
}

// Error is the fault in words.
func (f Fault) Error() string {
	return strings.TrimSpace(f.Class+" "+f.Status) + ": " + f.Message
}

type errorEvent struct {
	Event       string `json:"event"`
	Class       string `json:"class"`
	Status      string `json:"status"`
	Message     string `json:"message"`
	Scope       Scope  `json:"scope"`
	Operation   string `json:"operation,omitempty"`
	IntendedNS  int64  `json:"intended_ns,omitempty"`
	MonotonicNS int64  `json:"monotonic_ns"`
}

func (e *events) fault(f Fault) {
	if !e.wanted(f) {
		return
	}
	e.emit(errorEvent{
		Event: "error", Class: shortened(f.Class), Status: shortened(f.Status),
		Message: shortened(f.Message), Scope: f.Scope, Operation: f.Operation,
		IntendedNS: f.IntendedNS, MonotonicNS: Now(),
	})
}

func (e *events) fatal(err error) {
	fault := Fault{Class: fmt.Sprintf("%T", err), Message: err.Error()}
	errors.As(err, &fault)
	fault.Scope = FatalScope
	e.fault(fault)
}

func (e *events) wanted(f Fault) bool {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.errors == nil {
		e.errors = make(map[string]int)
	}
	class := fmt.Sprintf("%s/%s/%s", f.Scope, f.Class, f.Status)
	e.errors[class]++
	return e.errors[class] <= errorsPerClass
}

// shortened cuts a text; half of a character that it cuts is left out.
func shortened(text string) string {
	if len(text) > longestText {
		text = text[:longestText]
	}
	return strings.ToValidUTF8(text, "")
}
