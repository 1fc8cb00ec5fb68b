// go-nats is github.com/nats-io/nats.go: core NATS, a connection for each user.
package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"wirelab.dev/messaging"
	"wirelab.dev/sdk"
)

const everybody = "wirelab.all"

func main() {
	messaging.Main(messaging.Contender{
		Library:          sdk.Module("nats.go", "github.com/nats-io/nats.go"),
		Open:             open,
		ReconnectsItself: true,
		Errors: sdk.Errors{
			Timeout:      []error{nats.ErrTimeout},
			Refused:      []error{nats.ErrNoServers},
			Disconnected: []error{nats.ErrConnectionClosed, nats.ErrDisconnected, nats.ErrStaleConnection},
		},
	})
}

func open(spec *sdk.Spec) (messaging.Connect, error) {
	wait, waitErr := sdk.Parameter(spec, "reconnect_wait_ms", int64(100))
	flushEvery, flushErr := sdk.Parameter(spec, "flush_every", int64(10))
	// A stream waits for nobody: who is behind has its messages late.
	if messaging.IsStream(spec) {
		flushEvery = 0
	}
	options := []nats.Option{
		nats.ReconnectWait(time.Duration(wait) * time.Millisecond), nats.MaxReconnects(-1),
		nats.Timeout(spec.Limits.Operation()),
		// What becomes of a message is seen by who waits for it.
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}),
	}
	return func(ctx context.Context, user int64, inbox messaging.Inbox) (messaging.Link, error) {
		connection, err := nats.Connect(spec.Endpoints["server"], options...)
		if err != nil {
			return nil, err
		}
		l := &link{Conn: connection, subject: fmt.Sprintf("wirelab.user.%d", user), flushEvery: flushEvery}
		return l, l.subscribe(ctx, inbox)
	}, errors.Join(waitErr, flushErr)
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
		all, err := l.Subscribe(everybody, func(m *nats.Msg) { inbox(m.Data) })
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
	if err := l.Publish(everybody, message); err != nil {
		return err
	}
	l.sent++
	if l.flushEvery > 0 && l.sent%l.flushEvery == 0 {
		return l.FlushWithContext(ctx)
	}
	return nil
}
