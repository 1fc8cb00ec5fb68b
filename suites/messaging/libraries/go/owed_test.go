package messaging

import (
	"math"
	"testing"

	"wirelab.dev/sdk"
)

func TestWhatIsSentWhileAStepSettlesIsOwedToThoseOfTheStepBefore(t *testing.T) {
	steps := []sdk.Step{
		{Name: "few", First: 0, Count: 10, Settle: 4, Users: 2},
		{Name: "more", First: 10, Count: 10, Settle: 4, Users: 8},
	}
	owed := owedWithin(steps, 3)
	for number, users := range map[int64]int64{0: 0, 11: 0, 12: 2, 30: 2, 41: 2, 42: 8, 59: 8} {
		if found := owed.to(number); found != users {
			t.Errorf("message %d is owed to %d", number, found)
		}
	}
	if (owed[:0]).to(7) != math.MaxInt64 {
		t.Error("without bounds it is not owed to everybody")
	}
}

func TestWhatANewcomerGetsOfMessagesBeforeItsTimeIsInNoCount(t *testing.T) {
	messages := NewMessages(nil, 1)
	d := newDeliveries(messages, nil, true)
	steps := []sdk.Step{
		{Name: "few", First: 0, Count: 2, Users: 1, Lanes: 1},
		{Name: "more", First: 2, Count: 2, Settle: 1, Users: 2, Lanes: 2},
	}
	d.begin(&deliveryPhase{
		size: 100, each: 4, senders: 2, counts: true, perTick: 1, owed: owedWithin(steps, 1),
	}, 2)
	for _, number := range []uint64{1, 2, 3} {
		d.handsOver(0, number, 5, 5)
		d.sent(5, d.phase.Load().owed.to(int64(number)))
		for _, user := range []int64{0, 1} {
			message := messages.compose(0, number, 100)
			stamp(message, 5, 5)
			d.delivered(user, message)
		}
	}
	tally := tally{}
	for _, one := range d.tallies.All() {
		tally.expected += one.expected
		tally.received += one.received
		tally.wrong += one.wrong
	}
	if tally.expected != 4 || tally.received != 4 || tally.wrong != 0 {
		t.Errorf("%d of %d, %d wrong", tally.received, tally.expected, tally.wrong)
	}
}
