package messaging

import (
	"encoding/json"
	"testing"

	"wirelab.dev/sdk"
)

// Expected values are those of the suite's verifier.
func TestAMessageIsTheReadmes(t *testing.T) {
	messages := NewMessages(4711)
	message := messages.compose(3, 1<<32|7, 1000)
	stamp(message, 5, 9)
	said := answerOf(message)
	if said != (answer{3, 1<<32 | 7, 1000, "4253736e", 9}) {
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
	messages := NewMessages(1)
	message := messages.compose(1, 2, 50)
	late, reply := messages.compose(1, 1, 50), messages.compose(1, 2, 50)
	stamp(reply, 3, 4)
	if Answers(late, message) || !Answers(reply, message) || !Answers(nil, message) {
		t.Error("another is taken")
	}
}

func TestPayloadsLongerThanThePoolGoOnInCycles(t *testing.T) {
	messages := NewMessages(1)
	message := messages.compose(1, 2, Header+3*poolSize+5)
	if !messages.isIntact(message, 1, 2, Header+3*poolSize+5) || len(message) != Header+3*poolSize+5 {
		t.Error("not intact")
	}
	if message[Header] != message[Header+poolSize] {
		t.Error("the cycle is another")
	}
}

func TestEveryDeliveryIsCountedAsWhatItIs(t *testing.T) {
	messages := NewMessages(1)
	d := newDeliveries(messages, nil, false)
	// Users 0 and 1 send two messages each at the only tick of the measured phase 2.
	step := &sdk.Step{Name: "s", Count: 2, Settle: 1, Users: 2, Lanes: 2}
	d.beginStep(step, 0, 100, 2, true)
	d.sent(0, 2)
	deliver := func(user int64, sender uint32, sequence uint64) {
		d.delivered(user, messages.compose(sender, sequence, 100))
	}
	const phase = 2 << 32
	deliver(0, 0, phase|1)
	deliver(0, 0, phase|0) // after a later one
	deliver(0, 0, phase|0) // twice
	deliver(0, 0, 1<<32)   // of settling, late
	deliver(0, 1, phase|2) // one that is not sent
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
	line, err := json.Marshal(d.line(0, d.tallies[0]).Counts)
	const expected = `{"bytes":500,"duplicates":1,"expected":2,"received":5,"reordered":1,"wrong":0}`
	if err != nil || string(line) != expected {
		t.Errorf("%s", line)
	}
	wrong := int64(0)
	for _, tally := range d.tallies {
		wrong += tally.wrong
	}
	if wrong != 2 || d.received.Load() != 5 {
		t.Errorf("%d wrong, %d received", wrong, d.received.Load())
	}
}
