package sdk

import (
	"bufio"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"sync"
)

// Phase says whether an answer was given before tick 0 or at a tick.
type Phase string

// The phases of a trial.
const (
	Preflight Phase = "preflight"
	Measure   Phase = "measure"
)

// Answer is what an operation returned, for the suite's verifier.
type Answer struct {
	Phase     Phase  `json:"phase"`
	Operation string `json:"operation"`
	Tick      int64  `json:"tick"`
	StartNS   int64  `json:"start_ns"`
	EndNS     int64  `json:"end_ns"`
	Answer    any    `json:"answer"`
}

// Answers writes the answers file, for any number of goroutines.
type Answers struct {
	mutex    sync.Mutex
	file     *os.File
	buffer   *bufio.Writer
	lines    int64
	checksum uint32
}

func newAnswers(path string) (*Answers, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	return &Answers{file: file, buffer: bufio.NewWriter(file)}, nil
}

// Write adds one answer; an error when it cannot be said in JSON.
func (a *Answers) Write(answer Answer) error {
	if err := a.Add(answer); err != nil {
		return fmt.Errorf("answer of %s: %w", answer.Operation, err)
	}
	return nil
}

// Add adds a line with keys of the suite's own.
func (a *Answers) Add(answer any) error {
	line, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	line = append(line, '\n')
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if _, err := a.buffer.Write(line); err != nil {
		return err
	}
	a.checksum = crc32.Update(a.checksum, crc32.IEEETable, line)
	a.lines++
	return nil
}

func (a *Answers) flush() error {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return a.buffer.Flush()
}

// close completes the file and says how many lines it has, and their checksum.
func (a *Answers) close() (int64, uint32, error) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return a.lines, a.checksum, closed(a.buffer, a.file)
}
