package main

import (
	"maps"
	"reflect"
	"testing"

	"wirelab.dev/kv/k6/points"
	"wirelab.dev/sdk"
)

// The wall clock of these tests is this much ahead of CLOCK_MONOTONIC.
const ahead = int64(1_700_000_000) * second

func conversionOf(t *testing.T) *conversion {
	t.Helper()
	p, err := planOf(specOf(step(0, 2, nil)))
	if err != nil {
		t.Fatal(err)
	}
	return &conversion{
		worker: &sdk.Worker{Spec: p.spec}, plan: p, step: p.spec.Schedule.Steps[0],
		monotonic: func(wallNS int64) int64 { return wallNS - ahead },
		beginNS:   500, spans: newSpans(0),
	}
}

func TestARequestTakesWhatK6CallsItsDuration(t *testing.T) {
	c := conversionOf(t)
	exchange := &points.Exchange{EndNS: ahead + 9000, DurationNS: 700, BlockedNS: 40, Status: 200}
	sample := c.sampleOf(points.Point{Tick: 4, Lane: 1, Exchange: exchange}, sdk.OK, 222)
	expected := sdk.Sample{IntendedNS: 8300, StartNS: 8300, EndNS: 9000, Bytes: 222, Operation: 1, Lane: 1}
	if sample != expected {
		t.Errorf("got %+v", sample)
	}
	// One that nobody answered began with the wait for a connection.
	exchange.Status = 0
	if sample = c.sampleOf(points.Point{Exchange: exchange}, sdk.Refused, 0); sample.StartNS != 8260 {
		t.Errorf("got %+v", sample)
	}
}

func TestAStepBeginsBeforeItsFirstAndEndsWithItsLast(t *testing.T) {
	c := conversionOf(t)
	for number := range 10 { // two lanes, five ticks that count
		if c.isComplete() {
			t.Errorf("complete after %d", number)
		}
		c.count(sdk.Sample{StartNS: 490 + int64(number), EndNS: 2000 - int64(number)})
	}
	if !c.isComplete() || c.beginNS != 490 || c.lastNS != 2000 {
		t.Errorf("from %d to %d", c.beginNS, c.lastNS)
	}
	c.beginNS = 0 // not all have settled
	if c.count(sdk.Sample{StartNS: 1}); c.beginNS != 0 {
		t.Errorf("began at %d", c.beginNS)
	}
}

func TestOutcomes(t *testing.T) {
	for _, one := range []struct {
		http, code int
		text       string
		status     uint8
		class      string
	}{
		{200, 0, "", sdk.OK, ""},
		{299, 0, "", sdk.OK, ""},
		{302, 0, "", sdk.Failed, "Http302"},
		{503, 1503, "", sdk.Failed, "Http503"},
		{0, 1050, "request timeout", sdk.Timeout, "RequestTimeout"},
		{0, 1211, "dial: i/o timeout", sdk.Timeout, "ConnectTimeout"},
		{0, 1212, "dial: connection refused", sdk.Refused, "ConnectRefused"},
		{0, 1220, "read: connection reset by peer", sdk.Disconnected, "ConnectionLost"},
		{0, 1000, "unexpected EOF", sdk.Disconnected, "ConnectionLost"},
		{0, 1000, "malformed HTTP response", sdk.Failed, "RequestFailed"},
	} {
		status, class := outcomeOf(&points.Exchange{Status: one.http, Code: one.code, Error: one.text})
		if status != one.status || class != one.class {
			t.Errorf("%+v: %d %s", one, status, class)
		}
	}
}

func TestSpansOfARequest(t *testing.T) {
	c := conversionOf(t)
	// From 2.5 s to 2.51 s after the start.
	sample := sdk.Sample{IntendedNS: 2_500_000_000, StartNS: 2_500_000_000, EndNS: 2_510_000_000}
	c.noteSpans(sample, "keys;dur=0.25, other;dur=3, total;dur=8")
	c.noteSpans(sample, "total;dur=10") // as long as the client saw it
	expected := map[int64]map[string]*spanCounts{2: {
		"keys": spansOf(0, 250_000), "server-time": spansOf(0, 8*millisecond, 10*millisecond),
		"http": spansOf(0, 2*millisecond, 0),
	}}
	if found := maps.Collect(c.spans.seconds.All()); !reflect.DeepEqual(found, expected) {
		t.Errorf("spans %v", found)
	}
}

func TestAServerThatSaysItTookLongerThanItsClientWaitedIsAnErrorAndNotZero(t *testing.T) {
	c := conversionOf(t)
	var faults []sdk.Fault
	c.fault = func(fault sdk.Fault) { faults = append(faults, fault) }
	sample := sdk.Sample{IntendedNS: 2_500_000_000, StartNS: 2_500_000_000, EndNS: 2_510_000_000}
	c.noteSpans(sample, "total;dur=11")
	c.noteSpans(sample, "total;dur=8")
	if len(faults) != 1 || faults[0].Class != "LongerThanRequest" || faults[0].Operation != "http" {
		t.Fatalf("faults %v", faults)
	}
	// What the server says of itself is kept as it says it.
	expected := map[int64]map[string]*spanCounts{2: {
		"server-time": spansOf(0, 11*millisecond, 8*millisecond), "http": spansOf(1, 2*millisecond),
	}}
	if found := maps.Collect(c.spans.seconds.All()); !reflect.DeepEqual(found, expected) {
		t.Errorf("spans %v", found)
	}
}

func TestASpanThatIsRefusedIsExpectedAndNotReceived(t *testing.T) {
	s := newSpans(0)
	if s.add(1, "http", -1) || !s.add(2, "http", 5*millisecond) || s.add(second, "http", -3) {
		t.Fatal("spans below zero alone are refused")
	}
	var counts []map[string]int64
	for _, interval := range s.intervals("all") {
		counts = append(counts, interval.Counts)
	}
	expected := []map[string]int64{{"expected": 2, "received": 1}, {"expected": 1, "received": 0}}
	if !reflect.DeepEqual(counts, expected) {
		t.Errorf("counts %v", counts)
	}
}

func spansOf(refused int64, ns ...int64) *spanCounts {
	found := &spanCounts{refused: refused}
	for _, one := range ns {
		found.durations.Add(one)
	}
	return found
}

func TestThePointsOfARequestAreKeptByTickAndLane(t *testing.T) {
	c := conversionOf(t)
	given := []points.Point{
		{Tick: 4, Lane: 1, Exchange: &points.Exchange{}},
		{Tick: 4, Lane: 1, Response: &points.Response{Bytes: 1}},
		{Tick: 4, Lane: 0, Response: &points.Response{Bytes: 2}},
	}
	for _, point := range given {
		if err := c.take(point); err != nil {
			t.Fatal(err)
		}
	}
	if len(c.exchanges) != 1 || c.responses[[2]int64{4, 1}].Bytes != 1 || c.responses[[2]int64{4, 0}].Bytes != 2 {
		t.Errorf("%v, %v", c.exchanges, c.responses)
	}
	if c.take(points.Point{Tick: 4}) == nil {
		t.Error("a point that says nothing was taken")
	}
}
