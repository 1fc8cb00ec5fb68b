// go-nats is github.com/nats-io/nats.go: core NATS, a connection for each user.
package main

import (
	"context"

	"github.com/nats-io/nats.go"
	"wirelab.dev/messaging"
	"wirelab.dev/messaging/natsclient"
	"wirelab.dev/sdk"
)

func main() { natsclient.Main(open) }

func open(spec *sdk.Spec) (natsclient.Linked, error) {
	flushEvery, err := sdk.Parameter(spec, "flush_every", int64(10))
	// A stream waits for nobody: who is behind has its messages late.
	if messaging.IsStream(spec) {
		flushEvery = 0
	}
	return func(
		ctx context.Context, connection *nats.Conn, user int64, inbox messaging.Inbox,
	) (messaging.Link, error) {
		l := &link{Conn: connection, subject: natsclient.Subject(user), flushEvery: flushEvery}
		return l, l.subscribe(ctx, inbox)
	}, err
}

// link is one user. Closing its connection is all of a goodbye that NATS has.
type link struct {
	*nats.Conn
	subject    string
	own        *nats.Subscription
	flushEvery int64
	sent       int64
}

func (l *link) subscribe(ctx context.Context, inbox messaging.Inbox) (err error) {
	if l.own, err = l.SubscribeSync(l.subject); err != nil {
		return err
	}
	if inbox != nil {
		all, err := l.Subscribe(natsclient.Everybody, func(m *nats.Msg) { inbox(m.Data) })
		if err != nil {
			return err
		}
		// The library drops what is more than its limits of 500,000 messages or 64 MB behind.
		if err := all.SetPendingLimits(-1, -1); err != nil {
			return err
		}
	}
	// The answer says that the server has heard of it.
	return l.FlushWithContext(ctx)
}

func (l *link) Echo(ctx context.Context, message []byte) ([]byte, error) {
	if err := l.Publish(l.subject, message); err != nil {
		return nil, err
	}
	for {
		reply, err := l.own.NextMsgWithContext(ctx)
		if err != nil {
			return nil, err
		}
		if messaging.Answers(reply.Data, message) {
			return reply.Data, nil
		}
	}
}

func (l *link) Broadcast(ctx context.Context, message []byte) error {
	if err := l.Publish(natsclient.Everybody, message); err != nil {
		return err
	}
	l.sent++
	if l.flushEvery > 0 && l.sent%l.flushEvery == 0 {
		return l.FlushWithContext(ctx)
	}
	return nil
}
