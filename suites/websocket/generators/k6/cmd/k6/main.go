// k6 is k6 itself, with an output for what the users of the whiteboard measure.
package main

import (
	"fmt"
	"strconv"
	"strings"

	"go.k6.io/k6/cmd"
	"go.k6.io/k6/metrics"
	"go.k6.io/k6/output"

	"wirelab.dev/sdk/k6"
	"wirelab.dev/websocket/k6/points"
)

const (
	userTag = "user"
	noteTag = "note"
)

func main() {
	output.RegisterExtension(k6.OutputName, newOutput)
	cmd.Execute()
}

// userOutput keeps the points of the users' own metrics. Of a million messages received, k6's
// outputs for files would write a million points of k6's own metrics as well.
type userOutput struct{ *k6.Output }

func newOutput(parameters output.Params) (output.Output, error) {
	file, err := k6.NewOutput(parameters.ConfigArgument)
	return userOutput{file}, err
}

// AddMetricSamples writes those points that users have made.
func (o userOutput) AddMetricSamples(containers []metrics.SampleContainer) {
	var lines []byte
	for _, container := range containers {
		for _, sample := range container.GetSamples() {
			if metric, own := strings.CutPrefix(sample.Metric.Name, points.Prefix); own {
				lines = o.add(lines, metric, sample)
			}
		}
	}
	o.Write(lines)
}

// add appends the line of a point.
func (o userOutput) add(lines []byte, metric string, sample metrics.Sample) []byte {
	user, err := strconv.Atoi(sample.Metadata[userTag])
	if err != nil {
		o.Fail(fmt.Errorf("a point of %s without its user", metric))
		return lines
	}
	note, _ := sample.Tags.Get(noteTag)
	return points.Append(lines, points.Point{
		Metric: metric, WallNS: sample.Time.UnixNano(), Value: sample.Value, User: user, Note: note,
	})
}
