// k6 is k6 itself, with an output for what the users of the whiteboard measure.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"go.k6.io/k6/cmd"
	"go.k6.io/k6/metrics"
	"go.k6.io/k6/output"

	"wirelab.dev/websocket/k6/points"
)

const (
	name        = "wirelab"
	flushPeriod = time.Second
	userTag     = "user"
	noteTag     = "note"
)

func main() {
	output.RegisterExtension(name, newOutput)
	cmd.Execute()
}

// fileOutput keeps the points of the users' own metrics. Of a million messages received, k6's
// outputs for files would write a million points of k6's own metrics as well.
type fileOutput struct {
	path string

	mutex  sync.Mutex
	file   *os.File
	buffer *bufio.Writer
	line   []byte
	failed error

	flusher *output.PeriodicFlusher
}

func newOutput(parameters output.Params) (output.Output, error) {
	if parameters.ConfigArgument == "" {
		return nil, fmt.Errorf("--out %s=FILE: the file is missing", name)
	}
	return &fileOutput{path: parameters.ConfigArgument}, nil
}

// Description is shown by k6 at its start.
func (o *fileOutput) Description() string {
	return name + ": " + o.path
}

// Start makes the file.
func (o *fileOutput) Start() error {
	var err error
	if o.file, err = os.Create(o.path); err != nil {
		return err
	}
	o.buffer = bufio.NewWriterSize(o.file, 256*1024)
	o.flusher, err = output.NewPeriodicFlusher(flushPeriod, o.flush)
	return err
}

// AddMetricSamples writes those points that users have made.
func (o *fileOutput) AddMetricSamples(containers []metrics.SampleContainer) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	for _, container := range containers {
		for _, sample := range container.GetSamples() {
			if metric, own := strings.CutPrefix(sample.Metric.Name, points.Prefix); own {
				o.write(metric, sample)
			}
		}
	}
}

func (o *fileOutput) write(metric string, sample metrics.Sample) {
	user, err := strconv.Atoi(sample.Metadata[userTag])
	if err != nil {
		o.failed = fmt.Errorf("a point of %s without its user", metric)
		return
	}
	note, _ := sample.Tags.Get(noteTag)
	o.line = points.Append(o.line[:0], points.Point{
		Metric: metric, WallNS: sample.Time.UnixNano(), Value: sample.Value, User: user, Note: note,
	})
	// A failed write stays in the buffer and fails the flush.
	_, _ = o.buffer.Write(o.line)
}

func (o *fileOutput) flush() {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if err := o.buffer.Flush(); err != nil && o.failed == nil {
		o.failed = err
	}
}

// Stop completes the file.
func (o *fileOutput) Stop() error {
	o.flusher.Stop()
	if err := o.file.Close(); err != nil {
		return err
	}
	return o.failed
}
