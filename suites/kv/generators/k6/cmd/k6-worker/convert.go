package main

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"wirelab.dev/kv/k6/points"
	"wirelab.dev/sdk"
)

// k6's codes of errors that have a status of their own.
const (
	codeRequestTimeout = 1050
	codeBrokenPipe     = 1201
	codeDialTimeout    = 1211
	codeDialRefused    = 1212
	codeReset          = 1220
)

// conversion turns k6's points of a step into the files of the contract.
type conversion struct {
	worker *sdk.Worker
	// fault says what went wrong.
	fault func(sdk.Fault)
	plan  *plan
	step  sdk.Step
	// monotonic is CLOCK_MONOTONIC at a stamp of k6's.
	monotonic func(wallNS int64) int64
	startNS   int64
	// beginNS is when the step began, 0 while it has not.
	beginNS int64
	// lastNS is the end of the last request that counts.
	lastNS int64
	// counted is the number of requests that count.
	counted   int64
	exchanges []points.Point
	responses map[[2]int64]points.Response // by tick and lane
	spans     *spans
}

// take keeps a point; what k6 and the script say of a request come one after the other.
func (c *conversion) take(point points.Point) error {
	if point.Exchange != nil {
		c.exchanges = append(c.exchanges, point)
		return nil
	}
	if point.Response == nil {
		return fmt.Errorf("tick %d: k6 reported no times", point.Tick)
	}
	if c.responses == nil {
		c.responses = make(map[[2]int64]points.Response)
	}
	c.responses[[2]int64{point.Tick, point.Lane}] = *point.Response
	return nil
}

func (c *conversion) write() error {
	slices.SortStableFunc(c.exchanges, func(a, b points.Point) int {
		return int(a.Exchange.EndNS - b.Exchange.EndNS)
	})
	for _, point := range c.exchanges {
		if err := c.record(point); err != nil {
			return err
		}
	}
	if c.worker.Intervals == nil {
		return nil
	}
	return c.spans.write(c.worker.Intervals, c.step.Name)
}

// isComplete says whether every request of the step has ended.
func (c *conversion) isComplete() bool {
	return c.counted == c.step.Lanes*(c.step.Count-c.step.Settle)
}

// record writes the sample of a request, its spans, and its answer where wanted.
func (c *conversion) record(point points.Point) error {
	exchange, response := point.Exchange, c.responses[[2]int64{point.Tick, point.Lane}]
	status, class := outcomeOf(exchange)
	sample := c.sampleOf(point, status, response.Bytes)
	c.worker.Recorder.Record(sample)
	counts := point.Tick >= c.step.First+c.step.Settle
	if counts {
		c.count(sample)
	}
	if status != sdk.OK {
		c.fault(sdk.Fault{
			Class: class, Message: fmt.Sprintf("lane %d: %s", point.Lane, reasonOf(exchange)),
			Scope: sdk.CallScope, Operation: request, IntendedNS: sample.IntendedNS,
		})
		return nil
	}
	if counts {
		c.noteSpans(sample, response.Timing)
	}
	if c.plan.isVerified(c.step, point.Tick, point.Lane) {
		return c.answer(point.Tick, sample, exchange.Status, response.Body)
	}
	return nil
}

// sampleOf is the sample of a request. What k6 counts as its duration begins with its first byte.
func (c *conversion) sampleOf(point points.Point, status uint8, size int64) sdk.Sample {
	sample := sdk.Sample{
		EndNS: c.monotonic(point.Exchange.EndNS), Bytes: uint32(size),
		Operation: c.worker.Spec.Operations[request].Code, Status: status, Lane: uint16(point.Lane),
	}
	sample.StartNS = sample.EndNS - point.Exchange.DurationNS
	if point.Exchange.Status == 0 {
		// Nothing was sent, or nobody answered: it began with the wait for a connection.
		sample.StartNS -= point.Exchange.BlockedNS
	}
	sample.IntendedNS = sample.StartNS
	return sample
}

// count notes what the step has of a request that counts.
func (c *conversion) count(sample sdk.Sample) {
	c.counted++
	c.lastNS = max(c.lastNS, sample.EndNS)
	// What the barrier let go has begun after it; the clocks agree to microseconds only.
	c.beginNS = min(c.beginNS, sample.StartNS)
}

func (c *conversion) noteSpans(sample sdk.Sample, timing string) {
	found := timingsOf(timing)
	for name, operation := range c.plan.spans {
		if ns, ok := found[name]; ok {
			c.spans.add(sample.IntendedNS, operation, ns)
		}
	}
	if total, ok := found["total"]; ok && c.plan.withHTTP {
		c.noteHTTP(sample, total)
	}
}

// noteHTTP counts what a request took outside of the server. A server that says it took longer than
// its client waited is not believed: a difference below zero is an error, and not 0.
func (c *conversion) noteHTTP(sample sdk.Sample, total int64) {
	waited := sample.EndNS - sample.StartNS
	if c.spans.add(sample.IntendedNS, httpSpan, waited-total) {
		return
	}
	c.fault(sdk.Fault{
		Class: "LongerThanRequest", Scope: sdk.CallScope, Operation: httpSpan, IntendedNS: sample.IntendedNS,
		Message: fmt.Sprintf("the server says %d ns of a request that took %d ns", total, waited),
	})
}

func (c *conversion) answer(tick int64, sample sdk.Sample, status int, body string) error {
	given, err := answerOf(status, []byte(body))
	if err != nil {
		c.fault(sdk.Fault{
			Class: "BadBody", Status: "wrong-answer", Message: err.Error(), Scope: sdk.CallScope,
			Operation: request, IntendedNS: sample.IntendedNS,
		})
	}
	return c.worker.Answers.Write(sdk.Answer{
		Phase: sdk.Measure, Operation: request, Tick: tick,
		StartNS: sample.StartNS, EndNS: sample.EndNS, Answer: given,
	})
}

// outcomeOf is a request's status, and the class of its error.
func outcomeOf(exchange *points.Exchange) (status uint8, class string) {
	switch {
	case exchange.Status >= http.StatusOK && exchange.Status < http.StatusMultipleChoices:
		return sdk.OK, ""
	case exchange.Status != 0:
		return sdk.Failed, fmt.Sprintf("Http%d", exchange.Status)
	}
	switch exchange.Code {
	case codeRequestTimeout:
		return sdk.Timeout, "RequestTimeout"
	case codeDialTimeout:
		return sdk.Timeout, "ConnectTimeout"
	case codeDialRefused:
		return sdk.Refused, "ConnectRefused"
	case codeBrokenPipe, codeReset:
		return sdk.Disconnected, "ConnectionLost"
	}
	// k6 has no code for a connection that its server ended.
	if strings.HasSuffix(exchange.Error, "EOF") {
		return sdk.Disconnected, "ConnectionLost"
	}
	return sdk.Failed, "RequestFailed"
}

func reasonOf(exchange *points.Exchange) string {
	if exchange.Status != 0 {
		return fmt.Sprintf("HTTP %d", exchange.Status)
	}
	return fmt.Sprintf("%s (k6's error %d)", exchange.Error, exchange.Code)
}
