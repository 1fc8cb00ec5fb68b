package k6

import (
	"bufio"
	"fmt"
	"os"
	"sync"
	"time"
)

// OutputName is what k6 knows the output by that leaves points.
const OutputName = "wirelab"

const (
	flushPeriod = time.Second
	bufferBytes = 256 * 1024
)

// Output is the file of points as k6 writes it, a line each: an output of k6 but for
// AddMetricSamples, by which a program of the suite says what is kept.
type Output struct {
	path string

	mutex  sync.Mutex
	file   *os.File
	buffer *bufio.Writer
	failed error

	stop, stopped chan struct{}
}

// NewOutput is the output to a file; path is k6's argument of it.
func NewOutput(path string) (*Output, error) {
	if path == "" {
		return nil, fmt.Errorf("--out %s=FILE: the file is missing", OutputName)
	}
	return &Output{path: path, stop: make(chan struct{}), stopped: make(chan struct{})}, nil
}

// Description is shown by k6 at its start.
func (o *Output) Description() string {
	return OutputName + ": " + o.path
}

// Start makes the file.
func (o *Output) Start() error {
	var err error
	if o.file, err = os.Create(o.path); err != nil {
		return err
	}
	o.buffer = bufio.NewWriterSize(o.file, bufferBytes)
	go o.flushNowAndThen()
	return nil
}

// Write adds whole lines.
func (o *Output) Write(lines []byte) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	// A failed write stays in the buffer and fails the flush.
	_, _ = o.buffer.Write(lines)
}

// Fail keeps why a point is missing: Stop will say so.
func (o *Output) Fail(err error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.failed = err
}

// flushNowAndThen leaves little to lose when k6 is killed.
func (o *Output) flushNowAndThen() {
	defer close(o.stopped)
	period := time.NewTicker(flushPeriod)
	defer period.Stop()
	for {
		select {
		case <-period.C:
			o.flush()
		case <-o.stop:
			o.flush()
			return
		}
	}
}

func (o *Output) flush() {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if err := o.buffer.Flush(); err != nil && o.failed == nil {
		o.failed = err
	}
}

// Stop completes the file; an error when points are missing.
func (o *Output) Stop() error {
	close(o.stop)
	<-o.stopped
	if err := o.file.Close(); err != nil {
		return err
	}
	return o.failed
}
