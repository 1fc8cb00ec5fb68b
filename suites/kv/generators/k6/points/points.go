// Package points is the file in which k6 leaves what it measured of requests: one point a line, as
// JSON. k6 and the script each know a part of a request; a point is one of the parts.
package points

import "encoding/json"

// Names that the script and k6's output agree on.
const (
	// RequestName is the tag `name` of the requests that count as such; the barrier has another.
	RequestName = "request"
	// ResponseMetric is the script's metric: bytes of a body.
	ResponseMetric = "wirelab_response"
	// Metadata that the script sets for k6 to pass on.
	TickKey, LaneKey, TimingKey, BodyKey = "tick", "lane", "timing", "body"
)

// Point is what is known of the request of a tick and lane: by k6, or by the script.
type Point struct {
	Tick     int64     `json:"tick"`
	Lane     int64     `json:"lane"`
	Exchange *Exchange `json:"exchange,omitempty"`
	Response *Response `json:"response,omitempty"`
}

// Exchange is what k6 measured. Durations are in nanoseconds.
type Exchange struct {
	// EndNS is when the body had been read or the request had failed, by the wall clock.
	EndNS int64 `json:"end_ns"`
	// DurationNS is k6's http_req_duration: sending, waiting, and receiving.
	DurationNS int64 `json:"duration_ns"`
	// BlockedNS is the time until there was a connection, connecting included.
	BlockedNS int64 `json:"blocked_ns"`
	// Status is that of HTTP, 0 where there was no response.
	Status int `json:"status"`
	// Code is k6's error code, 0 for none.
	Code  int    `json:"code,omitempty"`
	Error string `json:"error,omitempty"`
}

// Response is what the script saw.
type Response struct {
	Bytes int64 `json:"bytes"`
	// Timing is the header Server-Timing.
	Timing string `json:"timing,omitempty"`
	// Body is given where the answer is verified.
	Body string `json:"body,omitempty"`
}

// Append adds the line of a point to text.
func Append(text []byte, point Point) ([]byte, error) {
	line, err := json.Marshal(point)
	if err != nil {
		return text, err
	}
	return append(append(text, line...), '\n'), nil
}

// Parse reads the line of a point, without its end.
func Parse(line []byte) (Point, error) {
	var point Point
	err := json.Unmarshal(line, &point)
	return point, err
}
