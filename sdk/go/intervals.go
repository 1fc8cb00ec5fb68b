package sdk

import (
	"bufio"
	"encoding/json"
	"os"
)

// Interval is what happened of one operation in one second after tick 0. Lines of the same
// second and operation add up.
type Interval struct {
	Second    int64            `json:"second"`
	Operation string           `json:"operation"`
	Counts    map[string]int64 `json:"counts,omitempty"`
	// Service is from the start of each operation, Response from its intended time; left out when
	// empty.
	Service  *Durations `json:"service,omitempty"`
	Response *Durations `json:"response,omitempty"`
	// Step is the name of the step in a closed loop.
	Step string `json:"step,omitempty"`
}

// MarshalJSON gives its line.
func (i Interval) MarshalJSON() ([]byte, error) {
	type plain Interval
	line := plain(i)
	line.Service, line.Response = i.Service.orNone(), i.Response.orNone()
	return json.Marshal(line)
}

// Intervals writes the interval file. It is not for several goroutines.
type Intervals struct {
	file   *os.File
	buffer *bufio.Writer
}

func newIntervals(path string) (*Intervals, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	return &Intervals{file: file, buffer: bufio.NewWriter(file)}, nil
}

// Write adds one line.
func (i *Intervals) Write(interval Interval) error {
	line, err := json.Marshal(interval)
	if err != nil {
		return err
	}
	_, err = i.buffer.Write(append(line, '\n'))
	return err
}

func (i *Intervals) close() error {
	return closed(i.buffer, i.file)
}
