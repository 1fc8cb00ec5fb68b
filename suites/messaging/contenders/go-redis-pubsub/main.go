// go-redis-pubsub is github.com/redis/go-redis/v9: Pub/Sub with two connections for each user.
package main

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"
	"wirelab.dev/messaging"
	"wirelab.dev/sdk"
)

const everybody = "wirelab.all"

func main() {
	messaging.Main(messaging.Contender{
		Library: sdk.Module("go-redis", "github.com/redis/go-redis/v9"),
		Open:    open,
		// The library would, but says nothing of what is lost meanwhile.
		ReconnectsItself: false,
		Errors:           sdk.Errors{Disconnected: []error{redis.ErrClosed}},
	})
}

func open(spec *sdk.Spec) (messaging.Connect, error) {
	options, err := redis.ParseURL(spec.Endpoints["server"])
	if err != nil {
		return nil, err
	}
	// A user publishes one message after the other.
	options.PoolSize = 1
	options.ReadTimeout = spec.Limits.Operation()
	options.WriteTimeout = spec.Limits.Operation()
	// Without it the deadline of a call's context does not end a read that is under way.
	options.ContextTimeoutEnabled = true
	// A broadcast that is published again would reach everybody twice.
	options.MaxRetries = -1
	return func(ctx context.Context, user int64, inbox messaging.Inbox) (messaging.Link, error) {
		own := *options
		l := &link{
			Replies: messaging.NewReplies(), client: redis.NewClient(&own),
			channel: fmt.Sprintf("wirelab.user.%d", user), inbox: inbox,
		}
		return l, l.subscribe(ctx)
	}, nil
}

// link is one user.
type link struct {
	messaging.Replies
	client       *redis.Client
	subscription *redis.PubSub
	channel      string
	inbox        messaging.Inbox
}

func (l *link) subscribe(ctx context.Context) error {
	channels := []string{l.channel}
	if l.inbox != nil {
		channels = append(channels, everybody)
	}
	l.subscription = l.client.Subscribe(ctx, channels...)
	for range channels {
		// The answer says that the server has heard of it.
		if _, err := l.subscription.Receive(ctx); err != nil {
			return err
		}
	}
	go l.read()
	return nil
}

// read takes what comes, on a goroutine of this user, until the subscription is lost.
func (l *link) read() {
	for {
		message, err := l.subscription.ReceiveMessage(context.Background())
		switch {
		case err != nil:
			l.Lost(err)
			return
		case message.Channel == l.channel:
			l.Came([]byte(message.Payload))
		default:
			l.inbox([]byte(message.Payload))
		}
	}
}

func (l *link) Echo(ctx context.Context, message []byte) ([]byte, error) {
	if err := l.client.Publish(ctx, l.channel, message).Err(); err != nil {
		return nil, err
	}
	return l.Await(ctx, message)
}

func (l *link) Broadcast(ctx context.Context, message []byte) error {
	return l.client.Publish(ctx, everybody, message).Err()
}

// Stream publishes in one pipeline, whose answers are waited for together.
func (l *link) Stream(ctx context.Context, messages [][]byte) error {
	pipeline := l.client.Pipeline()
	for _, message := range messages {
		pipeline.Publish(ctx, everybody, message)
	}
	_, err := pipeline.Exec(ctx)
	return err
}

// Close is all of a goodbye that Redis has.
func (l *link) Close() {
	_ = l.subscription.Close()
	_ = l.client.Close()
}
