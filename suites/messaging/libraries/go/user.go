package messaging

import (
	"context"
	"errors"

	"wirelab.dev/sdk"
)

var errWrongMessage = errors.New("another message came back")
var errNotServed = errors.New("the server did not answer between the call's start and end")

// user is one of the trial: its link, and what it does on it. For one goroutine at a time.
type user struct {
	number int64
	place  *place
	link   Link
	hellos uint64
}

// linked gives the user's link, made again after it was lost.
func (u *user) linked(ctx context.Context) (Link, error) {
	if u.link != nil {
		return u.link, nil
	}
	link, err := u.place.connect(ctx, u.number, u.place.inboxOf(u.number))
	if err == nil {
		// A connection that is accepted but not served is none: the first answer makes it one.
		err = u.greet(ctx, link)
	}
	if err != nil {
		if link != nil {
			abandon(link)
		}
		return nil, err
	}
	u.link = link
	return link, nil
}

func (u *user) greet(ctx context.Context, link Link) error {
	number := u.hellos
	u.hellos++
	answer, err := link.Echo(ctx, u.place.messages.compose(uint32(u.number), number, Header))
	if err == nil && !u.place.messages.isIntact(answer, uint32(u.number), number, Header) {
		return errWrongMessage
	}
	return err
}

// join connects, and waits for the first answer.
func (u *user) join(ctx context.Context, call *sdk.Call) sdk.Outcome {
	_, err := u.linked(ctx)
	call.End()
	if err != nil {
		return u.failed(ctx, err)
	}
	return sdk.Outcome{}
}

func (u *user) echo(ctx context.Context, call *sdk.Call) sdk.Outcome {
	sequence, size := u.place.sequenceOf(call), u.place.sizeOf(call.Step)
	message := u.place.messages.compose(uint32(u.number), sequence, size)
	call.Begin()
	stamp(message, call.StartNS(), 0)
	var reply []byte
	link, err := u.linked(ctx)
	if err == nil {
		reply, err = link.Echo(ctx, message)
	}
	call.End()
	if err == nil {
		err = u.check(call, reply, sequence, size)
	}
	if err != nil {
		return u.failed(ctx, err)
	}
	return sdk.Outcome{Size: uint32(2 * len(message)), Answer: func() any { return answerOf(reply) }}
}

func (u *user) check(call *sdk.Call, reply []byte, sequence uint64, size int64) error {
	if !u.place.messages.isIntact(reply, uint32(u.number), sequence, size) {
		return errWrongMessage
	}
	said, _ := headOf(reply)
	if u.place.stamped && (said.servedNS < call.StartNS() || said.servedNS > call.EndNS()) {
		return errNotServed
	}
	return nil
}

func (u *user) send(ctx context.Context, call *sdk.Call) sdk.Outcome {
	first, size, count := u.place.sequenceOf(call), u.place.sizeOf(call.Step), u.place.perTick
	batch := make([][]byte, count)
	for at := range batch {
		batch[at] = u.place.messages.compose(uint32(u.number), first+uint64(at), size)
	}
	call.Begin()
	dueNS := call.IntendedNS
	if dueNS == 0 {
		dueNS = call.StartNS()
	}
	for _, message := range batch {
		stamp(message, call.StartNS(), dueNS)
	}
	u.place.deliveries.handsOver(u.number, first, call.StartNS(), dueNS)
	link, err := u.linked(ctx)
	if err == nil {
		err = u.handOver(ctx, link, batch)
	}
	call.End()
	u.place.deliveries.silences.handedOver(call.EndNS())
	if err != nil {
		return u.failed(ctx, err)
	}
	u.place.deliveries.sent(dueNS, (u.place.receiversOf(call)-u.place.lost.Load())*count)
	return sdk.Outcome{Size: uint32(size * count)}
}

// handOver sends to everybody; messages of a stream wait for no answer, as the library lets them.
func (u *user) handOver(ctx context.Context, link Link, batch [][]byte) error {
	if streamer, ok := link.(Streamer); ok && u.place.streams {
		return streamer.Stream(ctx, batch)
	}
	for _, message := range batch {
		if err := link.Broadcast(ctx, message); err != nil {
			return err
		}
	}
	return nil
}

func (u *user) failed(ctx context.Context, err error) sdk.Outcome {
	outcome := u.place.contender.Errors.Outcome(ctx, err)
	if errors.Is(err, errWrongMessage) || errors.Is(err, errNotServed) {
		outcome.Status, outcome.Fault.Class = sdk.WrongAnswer, "WrongMessage"
	}
	isLost := outcome.Status == sdk.Disconnected || outcome.Status == sdk.Refused
	if isLost && !u.place.contender.ReconnectsItself {
		u.leave()
	}
	return outcome
}

func (u *user) leave() {
	if u.link != nil {
		u.link.Close()
		u.link = nil
	}
}
