// go-redis-pubsub is github.com/redis/go-redis/v9: Pub/Sub with two connections for each user.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9"
	"wirelab.dev/messaging"
	"wirelab.dev/sdk"
)

const (
	module    = "github.com/redis/go-redis/v9"
	everybody = "wirelab.all"
)

func main() {
	messaging.Main(sdk.Named{Name: "go-redis", Version: sdk.ModuleVersion(module)}, connect)
}

type transport struct {
	options    redis.Options
	broadcasts bool
}

func connect(spec *sdk.Spec) (messaging.Transport, error) {
	options, err := redis.ParseURL(spec.Endpoints["server"])
	if err != nil {
		return nil, err
	}
	limit := time.Duration(spec.Limits.OperationNS)
	// A user publishes one message after the other.
	options.PoolSize = 1
	options.ReadTimeout, options.WriteTimeout = limit, limit
	// Without it the deadline of a call's context does not end a read that is under way.
	options.ContextTimeoutEnabled = true
	// A broadcast that is published again would reach everybody twice.
	options.MaxRetries = -1
	_, broadcasts := spec.Operations["send"]
	return &transport{*options, broadcasts}, nil
}

func (t *transport) Connect(
	ctx context.Context, user int64, inbox messaging.Inbox,
) (messaging.Link, error) {
	options := t.options
	l := &link{
		client: redis.NewClient(&options), channel: fmt.Sprintf("wirelab.user.%d", user), inbox: inbox,
		replies: make(chan []byte, 1), lost: make(chan error, 1),
	}
	channels := []string{l.channel}
	if t.broadcasts {
		channels = append(channels, everybody)
	}
	l.subscription = l.client.Subscribe(ctx, channels...)
	for range channels {
		// The answer says that the server has heard of it.
		if _, err := l.subscription.Receive(ctx); err != nil {
			_ = l.Close()
			return nil, err
		}
	}
	go l.read()
	return l, nil
}

// ReconnectsItself: the library would, but says nothing of what is lost meanwhile.
func (t *transport) ReconnectsItself() bool { return false }

func (t *transport) Explain(err error) (status uint8, class, name string) {
	var failed *net.OpError
	var said redis.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		status = sdk.Timeout
	case errors.Is(err, syscall.ECONNREFUSED):
		status = sdk.Refused
	case errors.As(err, &failed) && failed.Timeout():
		status = sdk.Timeout
	case errors.Is(err, io.EOF), errors.As(err, &failed), errors.Is(err, redis.ErrClosed):
		status = sdk.Disconnected
	case errors.As(err, &said):
		return sdk.Failed, "redis.Error", ""
	default:
		status = sdk.Failed
	}
	return status, fmt.Sprintf("%T", err), ""
}

// link is one user.
type link struct {
	client       *redis.Client
	subscription *redis.PubSub
	channel      string
	inbox        messaging.Inbox
	replies      chan []byte
	lost         chan error
}

// read takes what comes, on a goroutine of this user, until the subscription is lost.
func (l *link) read() {
	for {
		message, err := l.subscription.ReceiveMessage(context.Background())
		if err != nil {
			l.lost <- err
			return
		}
		if message.Channel != l.channel {
			l.inbox([]byte(message.Payload))
			continue
		}
		select {
		case l.replies <- []byte(message.Payload):
		default: // two answers that nobody waits for
		}
	}
}

func (l *link) Echo(ctx context.Context, message []byte) ([]byte, error) {
	if err := l.client.Publish(ctx, l.channel, message).Err(); err != nil {
		return nil, err
	}
	for {
		select {
		case reply := <-l.replies:
			if messaging.Answers(reply, message) {
				return reply, nil
			}
		case err := <-l.lost:
			return nil, err
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (l *link) Broadcast(ctx context.Context, message []byte) error {
	return l.client.Publish(ctx, everybody, message).Err()
}

func (l *link) Close() error {
	return errors.Join(l.subscription.Close(), l.client.Close())
}

// Abandon: Redis has no goodbye.
func (l *link) Abandon() { _ = l.Close() }
