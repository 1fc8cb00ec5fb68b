package messaging

import (
	"sync/atomic"
	"time"
)

const longNS = int64(time.Millisecond)

// silences are times at which nothing came to anybody and nobody was handing anything over. They tell
// messages that were held back in order to leave together from those that left as they were sent.
//
// A client that has nothing to do for 1 ms gets what comes at once. If several messages come to one
// user at the end of such a silence, and one of them had been handed over 1 ms before another, then it
// had waited for that one. What comes while others come, or while messages are handed over, may have
// waited for the client, and tells nothing. For any number of goroutines.
type silences struct {
	activeNS, endedNS, underWay atomic.Int64
}

// handsOver begins to hand messages over.
func (s *silences) handsOver() { s.underWay.Add(1) }

// handedOver has handed them over, or failed to.
func (s *silences) handedOver(nowNS int64) {
	raise(&s.activeNS, nowNS)
	s.underWay.Add(-1)
}

// endedBy is the end of the last silence, which a message that comes now may be.
func (s *silences) endedBy(nowNS int64) int64 {
	if s.underWay.Load() == 0 && nowNS-s.activeNS.Load() >= longNS {
		s.endedNS.Store(nowNS)
	}
	raise(&s.activeNS, nowNS)
	return s.endedNS.Load()
}

// together is what came to one user at the end of a silence.
type together struct {
	endedNS, firstNS int64
	sentNS           []int64
}

// heldFor counts the messages that had waited for this one.
func (t *together) heldFor(endedNS, sentNS, nowNS int64) int64 {
	if endedNS != t.endedNS {
		t.endedNS, t.firstNS, t.sentNS = endedNS, nowNS, t.sentNS[:0]
	}
	if nowNS-t.firstNS > longNS || sentNS > endedNS {
		return 0
	}
	held := 0
	for held < len(t.sentNS) && t.sentNS[held]+longNS <= sentNS {
		held++
	}
	t.sentNS = append(t.sentNS[:0], t.sentNS[held:]...)
	if sentNS+longNS <= endedNS {
		t.sentNS = append(t.sentNS, sentNS)
	}
	return int64(held)
}
