package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"wirelab.dev/sdk"
	"wirelab.dev/websocket/k6/points"
)

// conversion turns k6's points into the files of the contract.
type conversion struct {
	worker *sdk.Worker
	plan   *plan
	// monotonic is CLOCK_MONOTONIC at a stamp of k6's.
	monotonic func(wallNS int64) int64
	startNS   int64
	epochMS   float64
	members   members
	counts    map[string]countsBySecond // by operation
	answers   *answers
}

// countsBySecond are the counts of the interval file by name. A point of each message would be more
// than a file of records or of intervals holds: what is sent and received is counted by the second, as
// the contract has it of what happens too often for a record each.
type countsBySecond = *sdk.BySecond[map[string]int64]

// counted are the operations that have counts, in the order in which these are written.
var counted = []string{"delivery", "connect"}

func noCounts() map[string]countsBySecond {
	counts := make(map[string]countsBySecond)
	for _, operation := range counted {
		counts[operation] = sdk.NewBySecond(func() map[string]int64 { return make(map[string]int64) })
	}
	return counts
}

func (c *conversion) convert(all []points.Point) error {
	c.members = membersOf(c.plan, all)
	c.counts = noCounts()
	c.answers = newAnswers(c.plan)
	for _, point := range all {
		if err := c.take(point); err != nil {
			return fmt.Errorf("point %s of user %d: %w", point.Metric, point.User, err)
		}
	}
	if err := c.answers.write(c); err != nil {
		return err
	}
	return c.writeIntervals()
}

func (c *conversion) take(point points.Point) error {
	switch point.Metric {
	case "rtt":
		c.record("rtt", point, sdk.OK)
	case "given_up":
		c.record("rtt", point, sdk.Timeout)
	case "not_sent":
		point.Value = 0
		c.record("rtt", point, sdk.Disconnected)
	case "joined": // who is a member, membersOf has gathered
	case "connected":
		c.record("connect", point, sdk.OK)
	case "not_connected":
		c.notConnected(point)
	case "dropped":
		c.count("connect", c.secondOf(point.WallNS), "dropped", 1)
	case "sent":
		user := int64(point.User)
		others := c.members.others(c.plan.board(user), user, point.Value)
		c.count("delivery", c.secondSent(point.Value), "expected", others)
	case "received", "bytes":
		second, err := strconv.ParseInt(point.Note, 10, 64)
		if err != nil {
			return err
		}
		c.count("delivery", second, point.Metric, int64(point.Value))
	case "duplicates", "reordered", "wrong":
		c.count("delivery", c.secondOf(point.WallNS), point.Metric, int64(point.Value))
	case "verified_sent":
		return c.answers.sent(point)
	case "verified_copy":
		c.answers.copied(point)
	default:
		return fmt.Errorf("unknown metric")
	}
	return nil
}

// record writes a sample that ended at the point, if the scenario has the operation.
func (c *conversion) record(operation string, point points.Point, status uint8) {
	if _, ok := c.worker.Spec.Operations[operation]; ok {
		c.worker.Recorder.Record(c.sampleOf(operation, point, status))
	}
}

// sampleOf is a sample that ended at the point and took its value. k6 knows no intended times: a
// message is intended when it is sent. Joining is intended when the plan says.
func (c *conversion) sampleOf(operation string, point points.Point, status uint8) sdk.Sample {
	sample := sdk.Sample{
		EndNS:     c.monotonic(point.WallNS),
		Operation: c.worker.Spec.Operations[operation].Code,
		Status:    status,
		Lane:      uint16(point.User),
	}
	sample.StartNS = sample.EndNS - int64(point.Value*millisecond)
	sample.IntendedNS = sample.StartNS
	if operation == "connect" {
		sample.IntendedNS = c.startNS + c.plan.joinNS(int64(point.User))
	} else {
		sample.Bytes = uint32(c.plan.MessageBytes)
	}
	return sample
}

func (c *conversion) notConnected(point points.Point) {
	status := uint8(sdk.Failed)
	switch {
	case point.Note == "timeout":
		status = sdk.Timeout
	case point.Note == "closed":
		status = sdk.Disconnected
	case strings.Contains(point.Note, "connection refused"):
		status = sdk.Refused
	}
	c.record("connect", point, status)
	c.worker.Fault(sdk.Fault{
		Class: "NotConnected", Message: point.Note, Scope: sdk.CallScope, Operation: "connect",
		IntendedNS: c.startNS + c.plan.joinNS(int64(point.User)),
	})
}

// countVerified counts a message whose receivers were named one by one.
func (c *conversion) countVerified(m *message, members, receivers []int64) {
	others := func(users []int64) int64 {
		if slices.Contains(users, m.user) {
			return int64(len(users) - 1)
		}
		return int64(len(users))
	}
	at := c.secondSent(m.stamp)
	c.count("delivery", at, "expected", others(members))
	c.count("delivery", at, "received", others(receivers))
	c.count("delivery", at, "bytes", others(receivers)*int64(len(m.text)))
}

// secondSent is the second of a stamp, exactly as the users compute it.
func (c *conversion) secondSent(stamp float64) int64 {
	return int64(math.Floor((math.Floor(c.epochMS) + stamp - c.epochMS) / 1000))
}

func (c *conversion) secondOf(wallNS int64) int64 {
	return (c.monotonic(wallNS) - c.startNS) / second
}

func (c *conversion) count(operation string, at int64, name string, value int64) {
	c.counts[operation].At(at * second)[name] += value
}

func (c *conversion) writeIntervals() error {
	if c.worker.Intervals == nil {
		return nil
	}
	for _, operation := range counted {
		if _, ok := c.worker.Spec.Operations[operation]; !ok {
			continue
		}
		for at, named := range c.counts[operation].All() {
			line := sdk.Interval{Second: at, Operation: operation, Counts: named}
			if err := c.worker.Intervals.Write(line); err != nil {
				return err
			}
		}
	}
	return nil
}
