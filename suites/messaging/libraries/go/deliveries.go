package messaging

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"wirelab.dev/sdk"
)

const (
	second    = int64(time.Second)
	lowestNS  = 1_000
	highestNS = 120 * second
	digits    = 3
	// A second this old is written; what still comes for it gets a line of its own.
	writtenAfter = 4
	poll         = 200 * time.Microsecond
)

// tally is what was delivered in a second.
type tally struct {
	expected, received, duplicates, reordered, wrong, bytes int64
	service, response                                       *hdrhistogram.Histogram
}

// receiver is what one user has got of a phase: a bit for each message.
type receiver struct {
	mutex    sync.Mutex
	seen     []uint64
	highest  []int64
	distinct int64
	lastNS   int64
}

// deliveryPhase is what is under way: settling, or what counts.
type deliveryPhase struct {
	number  int64
	step    string
	size    int64
	each    int64
	senders int64
	counts  bool

	receivers []receiver
}

// deliveries counts what is broadcast, of one phase at a time. For any number of goroutines.
type deliveries struct {
	messages *Messages
	isOpen   bool
	tick0NS  atomic.Int64
	phase    atomic.Pointer[deliveryPhase]

	expected, received, lastNS atomic.Int64

	mutex sync.Mutex
	// By the second after tick 0.
	tallies map[int64]*tally

	writing   sync.Mutex
	intervals *sdk.Intervals
}

func newDeliveries(messages *Messages, intervals *sdk.Intervals, isOpen bool) *deliveries {
	d := &deliveries{
		messages: messages, isOpen: isOpen, intervals: intervals, tallies: map[int64]*tally{},
	}
	d.phase.Store(&deliveryPhase{number: -1})
	return d
}

// begin lets the messages of a phase count from here on, or in settling only pass.
func (d *deliveries) begin(next *deliveryPhase, users int64) {
	next.receivers = make([]receiver, users)
	for user := range next.receivers {
		got := &next.receivers[user]
		got.seen, got.highest = make([]uint64, (next.senders*next.each+63)/64), fill(next.senders, -1)
	}
	d.expected.Store(0)
	d.received.Store(0)
	d.lastNS.Store(sdk.Now())
	d.phase.Store(next)
}

func fill(size, value int64) []int64 {
	filled := make([]int64, size)
	for i := range filled {
		filled[i] = value
	}
	return filled
}

// sent says that a broadcast was handed over: so many users are to get it.
func (d *deliveries) sent(dueNS, receivers int64) {
	d.expected.Add(receivers)
	if d.phase.Load().counts {
		d.mutex.Lock()
		defer d.mutex.Unlock()
		d.tally(dueNS).expected += receivers
	}
}

// delivered takes what a user has got.
func (d *deliveries) delivered(user int64, message []byte) {
	nowNS := sdk.Now()
	phase := d.phase.Load()
	said, ok := headOf(message)
	intact := ok && d.messages.isIntact(message, said.user, said.sequence, phase.size)
	if intact && int64(said.sequence>>32) != phase.number {
		return // late, of a phase that is over
	}
	number := int64(said.sequence & 0xFFFFFFFF)
	isDue := intact && user < int64(len(phase.receivers)) &&
		int64(said.user) < phase.senders && number < phase.each
	again, late := false, false
	if isDue {
		again, late = phase.receivers[user].take(phase.each, int64(said.user), number, nowNS)
		raise(&d.lastNS, nowNS)
		if !again {
			d.received.Add(1)
		}
	}
	if phase.counts {
		d.count(said, int64(len(message)), nowNS, !isDue, again, late)
	}
}

// take keeps that a message has come: whether it has before, and whether a later one of its sender
// has.
func (r *receiver) take(each, sender, number, nowNS int64) (again, late bool) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	at := sender*each + number
	word, bit := &r.seen[at/64], uint64(1)<<(at%64)
	again, late = *word&bit != 0, number < r.highest[sender]
	r.lastNS = nowNS
	if !again {
		*word |= bit
		r.distinct++
		r.highest[sender] = max(r.highest[sender], number)
	}
	return again, late
}

func (d *deliveries) count(said head, size, nowNS int64, wrong, again, late bool) {
	fromNS := said.sentNS
	if d.isOpen {
		fromNS = said.servedNS
	}
	if wrong {
		fromNS = nowNS
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	tally := d.tally(fromNS)
	switch {
	case wrong:
		tally.wrong++
		return
	case again:
		tally.duplicates++
		return
	case late:
		tally.reordered++
	}
	tally.received++
	tally.bytes += size
	record(&tally.service, nowNS-said.sentNS)
	if d.isOpen {
		record(&tally.response, nowNS-said.servedNS)
	}
}

func raise(highest *atomic.Int64, value int64) {
	for last := highest.Load(); value > last; last = highest.Load() {
		if highest.CompareAndSwap(last, value) {
			return
		}
	}
}

func record(into **hdrhistogram.Histogram, ns int64) {
	if *into == nil {
		*into = hdrhistogram.New(lowestNS, highestNS, digits)
	}
	// Within its bounds, so it is taken.
	_ = (*into).RecordValue(min(max(ns, lowestNS), highestNS))
}

// tally is the one of a second; the mutex is held.
func (d *deliveries) tally(atNS int64) *tally {
	at := max(0, (atNS-d.tick0NS.Load())/second)
	if d.tallies[at] == nil {
		d.tallies[at] = &tally{}
	}
	return d.tallies[at]
}

// beginStep begins a phase of a closed loop. Its number is even where it counts.
func (d *deliveries) beginStep(step *sdk.Step, number, size, perTick int64, counts bool) {
	next := &deliveryPhase{
		number: 2*number + 1, step: step.Name, size: size, each: step.Settle * perTick, senders: step.Lanes,
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
	newest := (sdk.Now()-d.tick0NS.Load())/second - writtenAfter
	due := map[int64]*tally{}
	d.mutex.Lock()
	for at, tally := range d.tallies {
		if everything || at < newest {
			due[at] = tally
			delete(d.tallies, at)
		}
	}
	d.mutex.Unlock()
	for _, at := range slices.Sorted(maps.Keys(due)) {
		if err := d.intervals.Write(d.line(at, due[at])); err != nil {
			return fmt.Errorf("intervals: %w", err)
		}
	}
	return nil
}

func (d *deliveries) line(at int64, tally *tally) sdk.Interval {
	line := sdk.Interval{
		Second: at, Operation: "delivery", Counts: map[string]int64{
			"expected": tally.expected, "received": tally.received, "duplicates": tally.duplicates,
			"reordered": tally.reordered, "wrong": tally.wrong, "bytes": tally.bytes,
		},
		Service: encoded(tally.service), Response: encoded(tally.response),
	}
	if !d.isOpen {
		line.Step = d.phase.Load().step
	}
	return line
}

func encoded(histogram *hdrhistogram.Histogram) string {
	if histogram == nil {
		return ""
	}
	// Into memory, which takes it.
	text, _ := histogram.Encode(hdrhistogram.V2CompressedEncodingCookieBase)
	return string(text)
}
