package messaging

import (
	"sync"
	"sync/atomic"
)

// receiver is what one user has got of a phase: a bit for each message.
type receiver struct {
	mutex    sync.Mutex
	seen     []uint64
	highest  []int64
	distinct int64
	lastNS   int64
	together together
}

// deliveryPhase is what is under way: settling, or what counts.
type deliveryPhase struct {
	number  int64
	step    string
	size    int64
	each    int64
	senders int64
	counts  bool

	// True where everything of the phases before it has come.
	followsWhole bool
	receivers    []receiver
	// Of an open loop; who joins in a closed one does so before anything is sent.
	owed owed

	// Messages that a sender has for a tick, and for each tick of each sender when they were handed
	// over and due: what a server makes of these times is not believed.
	perTick int64
	stamps  []times
}

// prepare makes room for what users get of the phase.
func (s *deliveryPhase) prepare(users int64) {
	s.stamps = make([]times, s.senders*s.each/s.perTick)
	s.receivers = make([]receiver, users)
	for user := range s.receivers {
		got := &s.receivers[user]
		got.seen, got.highest = make([]uint64, (s.senders*s.each+63)/64), fill(s.senders, -1)
	}
}

func fill(size, value int64) []int64 {
	filled := make([]int64, size)
	for i := range filled {
		filled[i] = value
	}
	return filled
}

type times struct{ sentNS, dueNS atomic.Int64 }

// timesOf are those of a message; nil where nobody sends to others.
func (s *deliveryPhase) timesOf(sender, number int64) *times {
	at := sender*(s.each/s.perTick) + number/s.perTick
	if at >= int64(len(s.stamps)) {
		return nil
	}
	return &s.stamps[at]
}

// are says whether a message has the times that it was sent with.
func (t *times) are(said head) bool {
	return t != nil && t.sentNS.Load() == said.sentNS && t.dueNS.Load() == said.servedNS
}

// arrival is what is counted of a message that came.
type arrival struct {
	size, nowNS        int64
	wrong, again, late bool
	// True for a message of a phase before, whose every message had come.
	replayed bool
	// Not the sender's own: a server knows who has sent a message, and could serve the sender before
	// the others.
	timed bool
	held  int64
}

// take keeps that a message has come, and notes whether it has before, whether a later one of its
// sender has, and how many had waited for it.
func (r *receiver) take(each int64, said head, came *arrival, silenceNS int64) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	sender, number := int64(said.user), int64(said.sequence&0xFFFFFFFF)
	at := sender*each + number
	word, bit := &r.seen[at/64], uint64(1)<<(at%64)
	came.again, came.late = *word&bit != 0, number < r.highest[sender]
	r.lastNS = came.nowNS
	if came.again {
		return
	}
	*word |= bit
	r.distinct++
	r.highest[sender] = max(r.highest[sender], number)
	came.held = r.together.heldFor(silenceNS, said.sentNS, came.nowNS)
}
