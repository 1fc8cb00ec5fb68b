package messaging

import (
	"context"
	"math/rand/v2"
	"time"

	"wirelab.dev/sdk"
)

const (
	// Who comes back, who sends, and somebody who shows that it was passed on.
	company       = 3
	arrivesWithin = time.Second
	triedFor      = 3 * time.Second
)

// tryPromises tries what a connection promises, once nothing is due any more: whoever is connected gets
// what is sent from then on. Users leave and come back, and somebody sends to everybody at once. Who it
// is is drawn, and the message is the next one of its sender. Who cannot be spoken to any more has its
// own reasons.
func (p *place) tryPromises() {
	step := &p.worker.Spec.Schedule.Steps[len(p.worker.Spec.Schedule.Steps)-1]
	var there, senders []*user
	for _, one := range p.users[:step.Users] {
		if one.link == nil {
			continue
		}
		there = append(there, one)
		if one.number < step.Lanes {
			senders = append(senders, one)
		}
	}
	if len(senders) == 0 || len(there) < company || p.isStopped() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), triedFor)
	defer cancel()
	for number := range int64(min(promised, len(there))) {
		sender := senders[rand.IntN(len(senders))]
		others := make([]*user, 0, len(there))
		for _, at := range rand.Perm(len(there)) {
			if there[at] != sender {
				others = append(others, there[at])
			}
		}
		broken, err := p.isBroken(ctx, others[0], sender, others[1], number)
		if broken {
			p.deliveries.promiseBroken()
		}
		if broken || err != nil {
			return
		}
	}
}

// isBroken says whether a user who has come back misses what is sent at once. What did not come to the
// others either was not served at all, which is no matter of connecting.
func (p *place) isBroken(ctx context.Context, returning, sender, other *user, number int64) (bool, error) {
	step := &p.worker.Spec.Schedule.Steps[len(p.worker.Spec.Schedule.Steps)-1]
	phase := p.deliveries.phase.Load()
	sequence := uint64(phase.number)<<32 | uint64(phase.each+number)
	message := p.messages.compose(uint32(sender.number), sequence, p.sizeOf(step))
	returning.leave()
	if _, err := returning.linked(ctx); err != nil {
		return false, err
	}
	nowNS := sdk.Now()
	stamp(message, nowNS, nowNS)
	if err := sender.link.Broadcast(ctx, message); err != nil {
		return false, err
	}
	came := func(one *user) bool { return p.deliveries.came(one.number, sender.number, number) }
	for sdk.Now() < nowNS+int64(arrivesWithin) && !(came(returning) && came(sender) && came(other)) {
		time.Sleep(poll)
	}
	return came(sender) && came(other) && !came(returning), ctx.Err()
}
