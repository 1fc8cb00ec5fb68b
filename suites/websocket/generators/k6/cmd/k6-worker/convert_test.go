package main

import (
	"encoding/json"
	"maps"
	"reflect"
	"testing"

	"wirelab.dev/sdk"
	"wirelab.dev/websocket/k6/points"
)

// tickZero is by the wall clock, whose offset in these tests is -tickZero: tick 0 is at 0.
const tickZero = int64(1_700_000_000_000) * millisecond

type point struct {
	metric string
	atMS   float64
	value  float64
	user   int
	note   string
}

func converted(t *testing.T, p *plan, given []point) *conversion {
	t.Helper()
	all := []points.Point{}
	for _, one := range given {
		wall := tickZero + int64(one.atMS*millisecond)
		all = append(all, points.Point{Metric: one.metric, WallNS: wall, Value: one.value, User: one.user, Note: one.note})
	}
	c := &conversion{
		plan:      p,
		monotonic: func(wallNS int64) int64 { return wallNS - tickZero },
		epochMS:   float64(tickZero) / millisecond,
		counts:    noCounts(),
		members:   membersOf(p, all), answers: newAnswers(p),
		worker: &sdk.Worker{Spec: &sdk.Spec{}},
	}
	for _, one := range all {
		if err := c.take(one); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// counted takes out what was counted: by operation, second and name.
func (c *conversion) counted() map[string]map[int64]map[string]int64 {
	found := make(map[string]map[int64]map[string]int64)
	for operation, counts := range c.counts {
		found[operation] = maps.Collect(counts.All())
	}
	return found
}

func small(t *testing.T) *plan {
	t.Helper()
	spec := specOf(step(0, 2, 4))
	spec.Parameters = map[string]json.RawMessage{"board_size": json.RawMessage("3")}
	p, err := planOf(spec)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestDeliveriesAreExpectedOfThoseWhoWereThere(t *testing.T) {
	c := converted(t, small(t), []point{
		{metric: "joined", value: 100, user: 0},
		{metric: "joined", value: 500, user: 1},
		{metric: "joined", value: 3000, user: 2},
		{metric: "joined", value: 0, user: 3}, // on a board of its own
		{metric: "sent", value: 499, user: 0},
		{metric: "sent", value: 500, user: 0},
		{metric: "sent", value: 2999, user: 0},
		{metric: "sent", value: 3000, user: 1},
		{metric: "dropped", value: 4000, atMS: 4000, user: 2},
		{metric: "sent", value: 3999, user: 1},
		{metric: "sent", value: 4000, user: 1},
		{metric: "sent", value: 4000, user: 3},
		{metric: "received", value: 1, user: 1, note: "0"},
		{metric: "received", value: 2, user: 2, note: "3"},
		{metric: "bytes", value: 260, user: 2, note: "3"},
		{metric: "duplicates", value: 1, atMS: 3100, user: 2},
	})
	expected := map[string]map[int64]map[string]int64{
		"delivery": {
			0: {"expected": 1, "received": 1},
			2: {"expected": 1},
			3: {"expected": 4, "received": 2, "bytes": 260, "duplicates": 1},
			4: {"expected": 1},
		},
		"connect": {4: {"dropped": 1}},
	}
	if found := c.counted(); !reflect.DeepEqual(found, expected) {
		t.Errorf("got %v", found)
	}
}

func TestVerifiedMessagesAreCountedByTheirReceivers(t *testing.T) {
	p := small(t)
	// Tick 3 asks for lane 3, tick 12 for lane 0, which then sends its message 10.
	text := p.Verified["0"]["10"]
	c := converted(t, p, []point{
		{metric: "joined", value: 0, user: 0},
		{metric: "joined", value: 0, user: 1},
		{metric: "joined", value: 12_500, user: 2},
		{metric: "verified_sent", atMS: 12_400, value: 10, user: 0, note: "12400"},
		{metric: "verified_copy", atMS: 12_410, value: 10, user: 1, note: text},
		{metric: "verified_copy", atMS: 12_420, value: 10, user: 0, note: text},
		{metric: "verified_copy", atMS: 12_600, value: 10, user: 2, note: text},
		{metric: "verified_copy", atMS: 12_700, value: 10, user: 1, note: text},
	})
	m := c.answers.messages[[2]int64{0, 10}]
	members := c.members.at(0, m.stamp)
	if !reflect.DeepEqual(members, []int64{0, 1}) {
		t.Errorf("members %v", members)
	}
	if !reflect.DeepEqual(m.receivers, []int64{1, 0, 2}) || !reflect.DeepEqual(m.copies, []string{text}) {
		t.Errorf("receivers %v, copies %v", m.receivers, m.copies)
	}
	if m.sentNS-tickZero != 12_400*millisecond || m.backNS-tickZero != 12_420*millisecond {
		t.Errorf("from %d to %d", m.sentNS, m.backNS)
	}
	c.countVerified(m, members, []int64{0, 1})
	expected := map[string]int64{"expected": 1, "received": 1, "bytes": int64(len(text))}
	if found := c.counted(); !reflect.DeepEqual(found["delivery"][12], expected) {
		t.Errorf("got %v", found)
	}
}

func TestASampleTakesWhatTheUserSaw(t *testing.T) {
	c := converted(t, small(t), nil)
	c.worker.Spec.Operations = map[string]sdk.Operation{"connect": {Code: 3}, "rtt": {Code: 1}}
	c.startNS = 7 * second
	seen := points.Point{WallNS: tickZero + 9*second, Value: 250, User: 2}
	sent := int64(8_750 * millisecond)
	given := c.sampleOf("rtt", seen, sdk.Timeout)
	expected := sdk.Sample{
		IntendedNS: sent, StartNS: sent, EndNS: 9 * second,
		Bytes: uint32(c.plan.MessageBytes), Operation: 1, Status: sdk.Timeout, Lane: 2,
	}
	if given != expected || c.plan.MessageBytes == 0 {
		t.Errorf("rtt: got %+v", given)
	}
	// Who joins is late from when the plan wanted it.
	given = c.sampleOf("connect", seen, sdk.OK)
	expected = sdk.Sample{
		IntendedNS: c.startNS + c.plan.joinNS(2), StartNS: sent, EndNS: 9 * second,
		Operation: 3, Status: sdk.OK, Lane: 2,
	}
	if given != expected || c.plan.joinNS(2) == 0 {
		t.Errorf("connect: got %+v", given)
	}
}

func TestUnknownPointsAreNoFigures(t *testing.T) {
	c := converted(t, small(t), nil)
	for _, point := range []points.Point{{Metric: "rtx"}, {Metric: "received", Note: "soon"}} {
		if c.take(point) == nil {
			t.Errorf("%v was taken", point)
		}
	}
}
