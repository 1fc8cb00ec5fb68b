package k6

import (
	"testing"
	"time"

	"wirelab.dev/sdk"
)

const second = int64(time.Second)

func TestTheWallClockMayNotMove(t *testing.T) {
	steady := &WallClock{firstNS: 1000, lastNS: 2000, firstOffset: 10, lastOffset: 20}
	if err := steady.check(); err != nil {
		t.Error(err)
	}
	for wall, expected := range map[int64]int64{500: 510, 1000: 1010, 1500: 1515, 2000: 2020, 9000: 9020} {
		if got := steady.Monotonic(wall); got != expected {
			t.Errorf("%d is %d", wall, got)
		}
	}
	for _, moved := range []int64{second, -second, int64(mostDrift)} {
		if (&WallClock{lastNS: 1, lastOffset: moved}).check() == nil {
			t.Errorf("moved by %d", moved)
		}
	}
	if off := sdk.WallOffset() - NewWallClock().firstOffset; off < -second || off > second {
		t.Error("the offset is not the wall clock's")
	}
}

func TestAMomentToComeHasAStampOfTheWallClock(t *testing.T) {
	clock := &WallClock{firstNS: 1000, lastNS: 1001, firstOffset: -700, lastOffset: -700}
	if wall := clock.Wall(800); wall != 1500 || clock.Monotonic(wall) != 800 {
		t.Errorf("%d, which is %d", wall, clock.Monotonic(wall))
	}
}
