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

const (
	module    = "github.com/nats-io/nats.go"
	everybody = "wirelab.all"
)

func main() {
	messaging.Main(sdk.Named{Name: "nats.go", Version: sdk.ModuleVersion(module)}, connect)
}

type transport struct {
	server     string
	broadcasts bool
	flushEvery int64
	options    []nats.Option
}

func connect(spec *sdk.Spec) (messaging.Transport, error) {
	flushEvery, err := sdk.Parameter(spec, "flush_every", int64(10))
	if err != nil {
		return nil, err
	}
	wait, err := sdk.Parameter(spec, "reconnect_wait_ms", int64(100))
	if err != nil {
		return nil, err
	}
	_, broadcasts := spec.Operations["send"]
	return &transport{
		server: spec.Endpoints["server"], broadcasts: broadcasts, flushEvery: flushEvery,
		options: []nats.Option{
			nats.ReconnectWait(time.Duration(wait) * time.Millisecond), nats.MaxReconnects(-1),
			nats.Timeout(time.Duration(spec.Limits.OperationNS)),
			// What becomes of a message is seen by who waits for it.
			nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}),
		},
	}, nil
}

func (t *transport) Connect(
	ctx context.Context, user int64, inbox messaging.Inbox,
) (messaging.Link, error) {
	connection, err := nats.Connect(t.server, t.options...)
	if err != nil {
		return nil, err
	}
	l := &link{connection: connection, subject: fmt.Sprintf("wirelab.user.%d", user), flushEvery: t.flushEvery}
	if err := l.subscribe(ctx, t.broadcasts, inbox); err != nil {
		connection.Close()
		return nil, err
	}
	return l, nil
}

func (t *transport) ReconnectsItself() bool { return true }

func (t *transport) Explain(err error) (status uint8, class, name string) {
	switch {
	case errors.Is(err, nats.ErrNoServers):
		status = sdk.Refused
	case errors.Is(err, nats.ErrTimeout), errors.Is(err, context.DeadlineExceeded):
		status = sdk.Timeout
	case errors.Is(err, nats.ErrConnectionClosed), errors.Is(err, nats.ErrDisconnected),
		errors.Is(err, nats.ErrStaleConnection):
		status = sdk.Disconnected
	default:
		status = sdk.Failed
	}
	return status, fmt.Sprintf("%T", err), ""
}

// link is one user.
type link struct {
	connection *nats.Conn
	subject    string
	own        *nats.Subscription
	flushEvery int64
	sent       int64
}

func (l *link) subscribe(ctx context.Context, broadcasts bool, inbox messaging.Inbox) error {
	var err error
	if l.own, err = l.connection.SubscribeSync(l.subject); err != nil {
		return err
	}
	if broadcasts {
		all, err := l.connection.Subscribe(everybody, func(m *nats.Msg) { inbox(m.Data) })
		if err != nil {
			return err
		}
		// The library drops what is more than its limits of 500,000 messages or 64 MB behind.
		if err := all.SetPendingLimits(-1, -1); err != nil {
			return err
		}
	}
	// The answer says that the server has heard of it.
	return l.connection.FlushWithContext(ctx)
}

func (l *link) Echo(ctx context.Context, message []byte) ([]byte, error) {
	if err := l.connection.Publish(l.subject, message); err != nil {
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
	if err := l.connection.Publish(everybody, message); err != nil {
		return err
	}
	l.sent++
	if l.flushEvery > 0 && l.sent%l.flushEvery == 0 {
		return l.connection.FlushWithContext(ctx)
	}
	return nil
}

func (l *link) Close() error {
	l.connection.Close()
	return nil
}

// Abandon: NATS has no goodbye.
func (l *link) Abandon() { l.connection.Close() }
