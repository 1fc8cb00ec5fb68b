package messaging

import (
	"context"
	"fmt"
	"iter"
	"sync"
	"sync/atomic"
	"time"

	"wirelab.dev/sdk"
)

const (
	// A second this old is written; what still comes for it gets a line of its own.
	writtenAfter = 4
	// Messages of a sender beyond those of its phase: it is only looked whether they came.
	promised = 8
	poll     = 200 * time.Microsecond
)

// tally is what was delivered in a second.
type tally struct {
	expected, received, duplicates, reordered, held, wrong, bytes int64
	service, response                                             sdk.Durations
}

// promise is a message that somebody was promised, and got.
type promise struct{ user, sender, number int64 }

// deliveries counts what is broadcast, of one phase at a time. For any number of goroutines.
type deliveries struct {
	messages *Messages
	isOpen   bool
	phase    atomic.Pointer[deliveryPhase]

	expected, received, lastNS, wrongBefore atomic.Int64

	silences silences
	promises sync.Map

	mutex   sync.Mutex
	tallies *sdk.BySecond[*tally]

	writing   sync.Mutex
	intervals *sdk.Intervals
}

func newDeliveries(messages *Messages, intervals *sdk.Intervals, isOpen bool) *deliveries {
	d := &deliveries{
		messages: messages, isOpen: isOpen, intervals: intervals,
		tallies: sdk.NewBySecond(func() *tally { return &tally{} }),
	}
	d.phase.Store(&deliveryPhase{number: -1, followsWhole: true, perTick: 1})
	return d
}

// startAt says when second 0 begins.
func (d *deliveries) startAt(tick0NS int64) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.tallies.StartAt(tick0NS)
}

// begin lets the messages of a phase count from here on, or in settling only pass.
func (d *deliveries) begin(next *deliveryPhase, users int64) {
	next.prepare(users)
	next.followsWhole = d.phase.Load().followsWhole && d.received.Load() >= d.expected.Load()
	d.expected.Store(0)
	d.received.Store(0)
	d.lastNS.Store(sdk.Now())
	d.phase.Store(next)
	if next.counts && d.wrongBefore.Load() > 0 {
		d.addWrong(d.lastNS.Load(), d.wrongBefore.Swap(0))
	}
}

func (d *deliveries) addWrong(atNS, count int64) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.tallies.At(atNS).wrong += count
}

// handsOver notes the times of a sender's messages of a tick, of which the first has this sequence.
func (d *deliveries) handsOver(sender int64, sequence uint64, sentNS, dueNS int64) {
	if at := d.phase.Load().timesOf(sender, int64(sequence&0xFFFFFFFF)); at != nil {
		at.sentNS.Store(sentNS)
		at.dueNS.Store(dueNS)
	}
	d.silences.handsOver()
}

// sent says that a broadcast was handed over: so many users are to get it.
func (d *deliveries) sent(dueNS, receivers int64) {
	d.expected.Add(receivers)
	if d.phase.Load().counts {
		d.mutex.Lock()
		defer d.mutex.Unlock()
		d.tallies.At(dueNS).expected += receivers
	}
}

// delivered takes what a user has got.
func (d *deliveries) delivered(user int64, message []byte) {
	nowNS := sdk.Now()
	phase := d.phase.Load()
	said, ok := headOf(message)
	intact := ok && d.messages.isIntact(message, said.user, said.sequence, phase.size)
	of := int64(said.sequence >> 32)
	if intact && of < phase.number && of > 0 {
		if phase.counts && phase.followsWhole {
			d.count(said, arrival{nowNS: nowNS, again: true, replayed: true})
		}
		return
	}
	sender, number := int64(said.user), int64(said.sequence&0xFFFFFFFF)
	// Of another phase nobody has sent it to everybody.
	isDue := intact && of == phase.number && user < int64(len(phase.receivers)) &&
		sender < phase.senders && number < phase.each+promised &&
		(number >= phase.each || phase.timesOf(sender, number).are(said))
	came := arrival{size: int64(len(message)), nowNS: nowNS, wrong: !isDue}
	if isDue {
		if number >= phase.each {
			d.promises.Store(promise{user, sender, number}, true)
			return
		}
		came.timed = user != sender || len(phase.receivers) == 1
		silenceNS := d.silences.endedBy(nowNS)
		if user >= phase.owed.to(number) {
			return // it was still joining, and may get this or not
		}
		phase.receivers[user].take(phase.each, said, &came, silenceNS)
		raise(&d.lastNS, nowNS)
		if !came.again {
			d.received.Add(1)
		}
	}
	switch {
	case phase.counts:
		d.count(said, came)
	case came.wrong:
		d.wrongBefore.Add(1) // it belongs to what counts next
	}
}

// came says whether a user has got what was promised as a number beyond those of the phase.
func (d *deliveries) came(user, sender, number int64) bool {
	_, there := d.promises.Load(promise{user, sender, d.phase.Load().each + number})
	return there
}

// promiseBroken counts a user who did not get what it was promised, as of the last that came.
func (d *deliveries) promiseBroken() { d.addWrong(d.lastNS.Load(), 1) }

func (d *deliveries) count(said head, came arrival) {
	fromNS, nowNS := said.sentNS, came.nowNS
	if d.isOpen {
		fromNS = said.servedNS
	}
	if came.wrong || came.replayed {
		fromNS = nowNS
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	tally := d.tallies.At(fromNS)
	switch {
	case came.wrong:
		tally.wrong++
		return
	case came.again:
		tally.duplicates++
		return
	case came.late:
		tally.reordered++
	}
	tally.received++
	tally.bytes += came.size
	if d.isOpen {
		tally.held += came.held
	}
	if !came.timed {
		return
	}
	tally.service.Add(nowNS - said.sentNS)
	if d.isOpen {
		tally.response.Add(nowNS - said.servedNS)
	}
}

func raise(highest *atomic.Int64, value int64) {
	for last := highest.Load(); value > last; last = highest.Load() {
		if highest.CompareAndSwap(last, value) {
			return
		}
	}
}

// beginStep begins a phase of a closed loop. Its number is even where it counts.
func (d *deliveries) beginStep(step *sdk.Step, number, size, perTick int64, counts bool) {
	next := &deliveryPhase{
		number: 2*number + 1, step: step.Name, size: size, each: step.Settle * perTick, senders: step.Lanes,
		perTick: perTick,
	}
	if counts {
		next.number, next.each, next.counts = next.number+1, (step.Count-step.Settle)*perTick, true
	}
	d.begin(next, step.Users)
}

// wait returns when everything that was handed over has come, limit after the last that came, or
// when the context ends.
func (d *deliveries) wait(ctx context.Context, limit time.Duration) {
	for d.received.Load() < d.expected.Load() && ctx.Err() == nil {
		if sdk.Now()-d.lastNS.Load() > int64(limit) {
			return
		}
		time.Sleep(poll)
	}
}

// completed is when a user had got every message of the phase, each of them once.
func (d *deliveries) completed(user int64) (int64, bool) {
	phase := d.phase.Load()
	got := &phase.receivers[user]
	got.mutex.Lock()
	defer got.mutex.Unlock()
	return got.lastNS, got.distinct >= phase.each*phase.senders
}

// write writes seconds that are a few old, or all of them.
func (d *deliveries) write(everything bool) error {
	d.writing.Lock()
	defer d.writing.Unlock()
	// Taken out first: deliveries are not to wait for the disk.
	for at, tally := range d.due(everything) {
		if err := d.intervals.Write(d.line(at, tally)); err != nil {
			return fmt.Errorf("intervals: %w", err)
		}
	}
	return nil
}

func (d *deliveries) due(everything bool) iter.Seq2[int64, *tally] {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if everything {
		return d.tallies.All()
	}
	return d.tallies.Settled(sdk.Now(), writtenAfter)
}

func (d *deliveries) line(at int64, tally *tally) sdk.Interval {
	line := sdk.Interval{
		Second: at, Operation: "delivery", Counts: map[string]int64{
			"expected": tally.expected, "received": tally.received, "duplicates": tally.duplicates,
			"reordered": tally.reordered, "held": tally.held, "wrong": tally.wrong, "bytes": tally.bytes,
		},
		Service: &tally.service, Response: &tally.response,
	}
	if !d.isOpen {
		line.Step = d.phase.Load().step
	}
	return line
}
