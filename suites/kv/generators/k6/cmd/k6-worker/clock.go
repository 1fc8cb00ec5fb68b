package main

import (
	"fmt"
	"time"

	"wirelab.dev/sdk"
)

// mostDrift is how far the wall clock may move against CLOCK_MONOTONIC within a step.
const mostDrift = time.Millisecond

// wallClock turns stamps of the wall clock, which is all k6 has, into CLOCK_MONOTONIC.
type wallClock struct {
	firstNS, lastNS         int64 // stamps at which the offset was taken
	firstOffset, lastOffset int64
}

func newWallClock() *wallClock {
	c := &wallClock{firstNS: time.Now().UnixNano(), firstOffset: sdk.WallOffset()}
	c.lastNS, c.lastOffset = c.firstNS+1, c.firstOffset
	return c
}

// finish takes the offset again; an error when the wall clock was set, or ran at another speed.
func (c *wallClock) finish() error {
	c.lastNS, c.lastOffset = time.Now().UnixNano(), sdk.WallOffset()
	return c.check()
}

func (c *wallClock) check() error {
	drift := time.Duration(c.lastOffset - c.firstOffset)
	if drift.Abs() < mostDrift {
		return nil
	}
	return sdk.Fault{
		Class:   "WallClockMoved",
		Message: fmt.Sprintf("by %v against CLOCK_MONOTONIC during the step: k6's stamps mean nothing", drift),
	}
}

// monotonic is the reading of CLOCK_MONOTONIC at a moment of the wall clock.
func (c *wallClock) monotonic(wallNS int64) int64 {
	share := float64(wallNS-c.firstNS) / float64(c.lastNS-c.firstNS)
	share = min(max(share, 0), 1)
	return wallNS + c.firstOffset + int64(share*float64(c.lastOffset-c.firstOffset))
}
