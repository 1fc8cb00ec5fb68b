// k6 is k6 itself, with an output for what it measures of the users' requests.
package main

import (
	"errors"
	"fmt"
	"strconv"

	"go.k6.io/k6/cmd"
	"go.k6.io/k6/lib/netext/httpext"
	"go.k6.io/k6/metrics"
	"go.k6.io/k6/output"

	"wirelab.dev/kv/k6/points"
	"wirelab.dev/sdk/k6"
)

func main() {
	output.RegisterExtension(k6.OutputName, newOutput)
	cmd.Execute()
}

// requestOutput keeps one point a request and one a response. k6's outputs for files would write a
// dozen lines of each, and stamps cut to microseconds.
type requestOutput struct{ *k6.Output }

func newOutput(parameters output.Params) (output.Output, error) {
	file, err := k6.NewOutput(parameters.ConfigArgument)
	return requestOutput{file}, err
}

// AddMetricSamples writes what belongs to requests.
func (o requestOutput) AddMetricSamples(containers []metrics.SampleContainer) {
	var lines []byte
	for _, container := range containers {
		if trail, of := container.(*httpext.Trail); of {
			if tag, _ := trail.Tags.Get("name"); tag == points.RequestName {
				lines = o.add(lines, trail.Metadata, points.Point{Exchange: exchangeOf(trail)})
			}
			continue
		}
		for _, sample := range container.GetSamples() {
			if sample.Metric.Name == points.ResponseMetric {
				lines = o.add(lines, sample.Metadata, points.Point{Response: responseOf(sample)})
			}
		}
	}
	o.Write(lines)
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

// add appends the line of a point, with the tick and lane that the script set.
func (o requestOutput) add(lines []byte, metadata map[string]string, point points.Point) []byte {
	var ofTick, ofLane error
	point.Tick, ofTick = strconv.ParseInt(metadata[points.TickKey], 10, 64)
	point.Lane, ofLane = strconv.ParseInt(metadata[points.LaneKey], 10, 64)
	longer, ofLine := points.Append(lines, point)
	if err := errors.Join(ofTick, ofLane, ofLine); err != nil {
		o.Fail(fmt.Errorf("a point without its tick and lane: %w", err))
		return lines
	}
	return longer
}
