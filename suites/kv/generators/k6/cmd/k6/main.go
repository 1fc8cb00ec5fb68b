// k6 is k6 itself, with an output for what it measures of the users' requests.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync"
	"time"

	"go.k6.io/k6/cmd"
	"go.k6.io/k6/lib/netext/httpext"
	"go.k6.io/k6/metrics"
	"go.k6.io/k6/output"

	"wirelab.dev/kv/k6/points"
)

const (
	name        = "wirelab"
	flushPeriod = time.Second
)

func main() {
	output.RegisterExtension(name, newOutput)
	cmd.Execute()
}

// fileOutput keeps one point a request and one a response. k6's outputs for files would write a
// dozen lines of each, and stamps cut to microseconds.
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

// AddMetricSamples writes what belongs to requests.
func (o *fileOutput) AddMetricSamples(containers []metrics.SampleContainer) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	for _, container := range containers {
		if trail, of := container.(*httpext.Trail); of {
			if tag, _ := trail.Tags.Get("name"); tag == points.RequestName {
				o.write(trail.Metadata, points.Point{Exchange: exchangeOf(trail)})
			}
			continue
		}
		for _, sample := range container.GetSamples() {
			if sample.Metric.Name == points.ResponseMetric {
				o.write(sample.Metadata, points.Point{Response: responseOf(sample)})
			}
		}
	}
}

func exchangeOf(trail *httpext.Trail) *points.Exchange {
	text := func(tag string) string {
		value, _ := trail.Tags.Get(tag)
		return value
	}
	// k6 writes numbers; 0 where the tag is missing.
	status, _ := strconv.Atoi(text("status"))
	code, _ := strconv.Atoi(text("error_code"))
	return &points.Exchange{
		EndNS:      trail.EndTime.UnixNano(),
		DurationNS: int64(trail.Duration),
		BlockedNS:  int64(trail.Blocked),
		Status:     status,
		Code:       code,
		Error:      text("error"),
	}
}

func responseOf(sample metrics.Sample) *points.Response {
	return &points.Response{
		Bytes:  int64(sample.Value),
		Timing: sample.Metadata[points.TimingKey],
		Body:   sample.Metadata[points.BodyKey],
	}
}

func (o *fileOutput) write(metadata map[string]string, point points.Point) {
	var errs [3]error
	point.Tick, errs[0] = strconv.ParseInt(metadata[points.TickKey], 10, 64)
	point.Lane, errs[1] = strconv.ParseInt(metadata[points.LaneKey], 10, 64)
	o.line, errs[2] = points.Append(o.line[:0], point)
	if err := errors.Join(errs[:]...); err != nil {
		o.failed = fmt.Errorf("a point without its tick and lane: %w", err)
		return
	}
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
