package k6

import (
	"fmt"
	"time"

	"wirelab.dev/sdk"
)

// mostDrift is how far the wall clock may move against CLOCK_MONOTONIC while k6 runs. More than
// its grain would be in the figures.
const mostDrift = time.Millisecond

// WallClock turns stamps of the wall clock, which is all k6 has, into CLOCK_MONOTONIC. All
// moments are in nanoseconds.
type WallClock struct {
	firstNS, lastNS         int64 // stamps at which the offset was taken
	firstOffset, lastOffset int64
}

// NewWallClock takes the offset between the clocks, before k6 starts.
func NewWallClock() *WallClock {
	c := &WallClock{firstNS: time.Now().UnixNano(), firstOffset: sdk.WallOffset()}
	c.lastNS, c.lastOffset = c.firstNS+1, c.firstOffset
	return c
}

// Finish takes the offset again; an error when the wall clock was set, or ran at another speed.
func (c *WallClock) Finish() error {
	c.lastNS, c.lastOffset = time.Now().UnixNano(), sdk.WallOffset()
	return c.check()
}

func (c *WallClock) check() error {
	drift := time.Duration(c.lastOffset - c.firstOffset)
	if drift.Abs() < mostDrift {
		return nil
	}
	return sdk.Fault{
		Class:   "WallClockMoved",
		Message: fmt.Sprintf("by %v against CLOCK_MONOTONIC while k6 ran: its stamps mean nothing", drift),
	}
}

// Monotonic is the reading of CLOCK_MONOTONIC at a moment of the wall clock.
func (c *WallClock) Monotonic(wallNS int64) int64 {
	share := float64(wallNS-c.firstNS) / float64(c.lastNS-c.firstNS)
	share = min(max(share, 0), 1)
	return wallNS + c.firstOffset + int64(share*float64(c.lastOffset-c.firstOffset))
}

// Wall is the wall clock at a reading of CLOCK_MONOTONIC that is still to come.
func (c *WallClock) Wall(monotonicNS int64) int64 {
	return monotonicNS - c.firstOffset
}
