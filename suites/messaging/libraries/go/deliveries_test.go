package messaging

import (
	"encoding/json"
	"maps"
	"testing"

	"wirelab.dev/sdk"
)

// Expected values are those of the suite's verifier.
func TestAMessageIsTheReadmes(t *testing.T) {
	messages := NewMessages(nil, 4711)
	message := messages.compose(3, 1<<32|7, 1000)
	stamp(message, 5, 9)
	said := answerOf(message)
	if said != (answer{3, 1<<32 | 7, 1000, "5e1655b1", 9}) {
		t.Errorf("%+v", said)
	}
	if !messages.isIntact(message, 3, 1<<32|7, 1000) {
		t.Error("not intact")
	}
	for at := range message {
		if at >= sentAt && at < Header {
			continue // the times
		}
		message[at]++
		if messages.isIntact(message, 3, 1<<32|7, 1000) {
			t.Errorf("byte %d may be another", at)
		}
		message[at]--
	}
	if messages.isIntact(message[:999], 3, 1<<32|7, 1000) || messages.isIntact(nil, 3, 0, 0) {
		t.Error("short ones are taken")
	}
}

func TestAnEchoIsKnownByItsHeader(t *testing.T) {
	messages := NewMessages(nil, 1)
	message := messages.compose(1, 2, 50)
	late, reply := messages.compose(1, 1, 50), messages.compose(1, 2, 50)
	stamp(reply, 3, 4)
	if Answers(late, message) || !Answers(reply, message) || !Answers(nil, message) {
		t.Error("another is taken")
	}
}

func TestPayloadsLongerThanThePoolGoOnInCycles(t *testing.T) {
	messages := NewMessages(nil, 1)
	message := messages.compose(1, 2, Header+3*poolSize+5)
	if !messages.isIntact(message, 1, 2, Header+3*poolSize+5) || len(message) != Header+3*poolSize+5 {
		t.Error("not intact")
	}
	if at := Header + wordSize; message[at] != message[at+poolSize] {
		t.Error("the cycle is another")
	}
}

func TestEveryDeliveryIsCountedAsWhatItIs(t *testing.T) {
	messages := NewMessages(nil, 1)
	d := newDeliveries(messages, nil, false)
	// Users 0 and 1 send two messages each at the only tick of the counted phase 2.
	step := &sdk.Step{Name: "s", Count: 2, Settle: 1, Users: 2, Lanes: 2}
	d.beginStep(step, 0, 100, 2, true)
	d.sent(0, 2)
	another := messages.compose(1, 2<<32|1, 100)
	stamp(another, 5, 5)
	d.delivered(0, another) // with times of which nobody knows
	deliver := func(user int64, sender uint32, sequence uint64) {
		d.delivered(user, messages.compose(sender, sequence, 100))
	}
	const phase = 2 << 32
	deliver(0, 0, phase|1)
	deliver(0, 0, phase|0)  // after a later one
	deliver(0, 0, phase|0)  // twice
	deliver(0, 0, 1<<32)    // of settling, which is complete
	deliver(0, 1, phase|10) // one that is not sent
	deliver(0, 1, 3<<32)    // one that is not sent yet
	deliver(0, 1, 0)        // one that was no broadcast
	deliver(0, 1, phase|2)  // one that is promised
	d.delivered(0, []byte("nonsense"))
	deliver(1, 1, phase|0)
	if _, done := d.completed(0); done {
		t.Error("complete with two of four")
	}
	deliver(0, 1, phase|0)
	deliver(0, 1, phase|1)
	if last, done := d.completed(0); !done || last == 0 {
		t.Error("not complete with four of four")
	}
	tallies := maps.Collect(d.tallies.All())
	line, err := json.Marshal(d.line(0, tallies[0]).Counts)
	const expected = `{"bytes":500,"duplicates":1,"expected":2,"held":0,"received":5,"reordered":1,"wrong":0}`
	if err != nil || string(line) != expected {
		t.Errorf("%s", line)
	}
	wrong, duplicates := int64(0), int64(0)
	for _, tally := range tallies {
		wrong += tally.wrong
		duplicates += tally.duplicates
	}
	if wrong != 5 || duplicates != 2 || d.received.Load() != 5 {
		t.Errorf("%d wrong, %d duplicates, %d received", wrong, duplicates, d.received.Load())
	}
	if !d.came(0, 1, 0) || d.came(0, 1, 1) || d.came(1, 1, 0) {
		t.Error("the promised message is another's")
	}
	// User 0 had three messages of its own or of others; its own are not timed.
	if timed := tallies[0].service.Count(); timed != 2 {
		t.Errorf("%d timed", timed)
	}
}

func TestWhatIsWrongBeforeAnythingCountsBelongsToWhatDoesSoNext(t *testing.T) {
	d := newDeliveries(NewMessages(nil, 1), nil, false)
	d.delivered(0, []byte("nonsense"))
	step := &sdk.Step{Name: "s", Count: 2, Settle: 1, Users: 2, Lanes: 2}
	d.beginStep(step, 0, 100, 2, true)
	wrong := int64(0)
	for _, tally := range d.tallies.All() {
		wrong += tally.wrong
	}
	if wrong != 1 {
		t.Errorf("%d wrong", wrong)
	}
}

func TestMessagesThatWaitedForOthersAreToldFromThoseThatCameAsTheyWereSent(t *testing.T) {
	const ms = longNS
	for _, one := range []struct {
		what         string
		handedOverNS []int64
		// Times at which each came, and at which it had been sent.
		came, sent []int64
		held       int64
	}{
		{"together after 5 ms", []int64{1 * ms, 3 * ms}, []int64{8 * ms, 8*ms + 9}, []int64{1 * ms, 3 * ms}, 1},
		{"as they were sent", []int64{1 * ms, 3 * ms}, []int64{2 * ms, 8 * ms}, []int64{1 * ms, 3 * ms}, 0},
		{"sent together", []int64{1 * ms, 1 * ms}, []int64{8 * ms, 8*ms + 9}, []int64{1 * ms, 1 * ms}, 0},
		{"while the client sends", []int64{1 * ms, 8*ms - 9}, []int64{8 * ms, 8*ms + 9}, []int64{1 * ms, 3 * ms}, 0},
		{"in a call", nil, []int64{8 * ms, 8*ms + 9}, []int64{1 * ms, 3 * ms}, 0},
		{"one by one", []int64{1 * ms, 3 * ms}, []int64{8 * ms, 10 * ms}, []int64{1 * ms, 3 * ms}, 0},
	} {
		var silences silences
		var together together
		for _, at := range one.handedOverNS {
			silences.handsOver()
			silences.handedOver(at)
		}
		if len(one.handedOverNS) == 0 {
			silences.handsOver()
		}
		held := int64(0)
		for at, nowNS := range one.came {
			held += together.heldFor(silences.endedBy(nowNS), one.sent[at], nowNS)
		}
		if held != one.held {
			t.Errorf("%s: %d held", one.what, held)
		}
	}
}
