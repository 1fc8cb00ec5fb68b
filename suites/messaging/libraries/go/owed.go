package messaging

import (
	"math"

	"wirelab.dev/sdk"
)

// owed says to how many users, the first ones, the messages of a phase are owed, by their number. In an
// open loop users join while others send: what is sent while a step settles is owed to those of the
// step before it. Without bounds everything is owed to everybody.
type owed []bound

// bound is the number of a sender's message from which on so many users are owed it.
type bound struct{ from, users int64 }

// owedWithin is owed to users of these steps, at each of whose ticks a sender has perTick messages.
func owedWithin(steps []sdk.Step, perTick int64) owed {
	var found owed
	before := int64(0)
	for _, step := range steps {
		found = append(found,
			bound{step.First * perTick, min(before, step.Users)},
			bound{(step.First + step.Settle) * perTick, step.Users})
		before = step.Users
	}
	return found
}

// to says how many users a message of a sender is owed to.
func (o owed) to(number int64) int64 {
	users := int64(math.MaxInt64)
	for at := len(o) - 1; at >= 0; at-- {
		if users = o[at].users; number >= o[at].from {
			break
		}
	}
	return users
}
