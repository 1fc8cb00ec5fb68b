// go-nats-jetstream is NATS with JetStream: what is published is in a file before it is acknowledged. The
// server is embedded, the clients are github.com/nats-io/nats.go.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
	"github.com/synadia-io/orbit.go/jetstreamext"
	"wirelab.dev/messaging"
	"wirelab.dev/messaging/natsclient"
	"wirelab.dev/sdk"
)

const (
	// Messages that are stored and of which the server has not said so yet; a tick of the fastest
	// stream has fewer.
	mostPending = 1 << 17
	// The subscription of a user who left without a word is kept for so long.
	abandoned = 30 * time.Second
	// What was sent to everybody is kept until there is more of it than so many bytes.
	mostKept = 256 << 20
	// The server takes no more messages than these into a batch.
	mostInBatch = 1000
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == "server" {
		sdk.Main(serve)
		return
	}
	natsclient.Main(
		open, jetstream.ErrConnectionClosed, jetstream.ErrServerShutdown,
		// Nobody is behind the subject of a stream: its server is away.
		nats.ErrNoResponders, jetstream.ErrNoStreamResponse,
	)
}

func open(spec *sdk.Spec) (natsclient.Linked, error) {
	batchFrom, err := sdk.Parameter(spec, "batch_from", int64(0))
	return func(
		ctx context.Context, connection *nats.Conn, user int64, inbox messaging.Inbox,
	) (messaging.Link, error) {
		streams, err := jetstream.New(connection, jetstream.WithPublishAsyncMaxPending(mostPending))
		if err != nil {
			return nil, err
		}
		l := &link{
			connection: connection, streams: streams, subject: natsclient.Subject(user),
			batchFrom: int(batchFrom), arrived: make(chan []byte, 1),
		}
		return l, l.subscribe(ctx, user, inbox)
	}, err
}

// link is one user.
type link struct {
	connection *nats.Conn
	streams    jetstream.JetStream
	subject    string
	// Messages of a stream's tick from which on they are stored as batches; 0: never.
	batchFrom int
	// The message that came to the user alone; of several the latest.
	arrived chan []byte
	// What the user has subscribed to, and is to leave behind as if it had not.
	left []func()
}

// subscribe has the user's own stream, from which each message is gone once it is acknowledged, and a
// subscription to that of all, which keeps what was sent last: to remove each message when all have
// acknowledged it takes the server a record of its own, and a sync of that.
func (l *link) subscribe(ctx context.Context, user int64, inbox messaging.Inbox) error {
	own := jetstream.StreamConfig{
		Name: fmt.Sprintf("user-%d", user), Subjects: []string{l.subject},
		Storage: jetstream.FileStorage, Retention: jetstream.WorkQueuePolicy,
	}
	if err := l.consume(ctx, own, jetstream.ConsumerConfig{Durable: "own"}, l.returned); err != nil {
		return err
	}
	if inbox == nil {
		return nil
	}
	all := jetstream.StreamConfig{
		Name: "all", Subjects: []string{natsclient.Everybody},
		Storage: jetstream.FileStorage, Retention: jetstream.LimitsPolicy, MaxBytes: mostKept,
		AllowAtomicPublish: true,
	}
	name := fmt.Sprintf("user-%d-%s", user, nuid.Next())
	l.left = append(l.left, func() { l.forget("all", name) })
	subscription := jetstream.ConsumerConfig{
		Durable: name, DeliverPolicy: jetstream.DeliverNewPolicy, InactiveThreshold: abandoned,
	}
	return l.consume(ctx, all, subscription, inbox)
}

func (l *link) consume(
	ctx context.Context, of jetstream.StreamConfig, by jetstream.ConsumerConfig, take func([]byte),
) error {
	stream, err := l.streams.CreateOrUpdateStream(ctx, of)
	if err != nil {
		return err
	}
	by.AckPolicy = jetstream.AckExplicitPolicy
	// A user may be behind with as many as there are.
	by.MaxAckPending = -1
	consumer, err := stream.CreateOrUpdateConsumer(ctx, by)
	if err != nil {
		return err
	}
	_, err = consumer.Consume(func(message jetstream.Msg) {
		take(message.Data())
		// Stored as well, and not waited for. Whoever is not heard gets the message again.
		_ = message.Ack()
	})
	return err
}

func (l *link) returned(message []byte) {
	select {
	case <-l.arrived:
	default:
	}
	l.arrived <- message
}

// Echo ends when the message is back and the server has said that it is stored.
func (l *link) Echo(ctx context.Context, message []byte) ([]byte, error) {
	if _, err := l.streams.Publish(ctx, l.subject, message); err != nil {
		return nil, err
	}
	for {
		select {
		case reply := <-l.arrived:
			if messaging.Answers(reply, message) {
				return reply, nil
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (l *link) Broadcast(ctx context.Context, message []byte) error {
	_, err := l.streams.Publish(ctx, natsclient.Everybody, message)
	return err
}

// Stream hands all messages over before it waits for the server's word that they are stored.
func (l *link) Stream(ctx context.Context, messages [][]byte) error {
	if l.batchFrom > 0 && len(messages) >= l.batchFrom {
		return l.streamBatches(ctx, messages)
	}
	futures := make([]jetstream.PubAckFuture, len(messages))
	for at, message := range messages {
		var err error
		if futures[at], err = l.streams.PublishAsync(natsclient.Everybody, message); err != nil {
			return err
		}
	}
	var failed error
	for _, future := range futures {
		select {
		case <-future.Ok():
		case err := <-future.Err():
			failed = errors.Join(failed, err)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return failed
}

// streamBatches has the messages of a batch share its syncs: sent one by one, each has its own.
func (l *link) streamBatches(ctx context.Context, messages [][]byte) error {
	for part := range slices.Chunk(messages, mostInBatch) {
		batch := make([]*nats.Msg, len(part))
		for at, message := range part {
			batch[at] = nats.NewMsg(natsclient.Everybody)
			batch[at].Data = message
		}
		if _, err := jetstreamext.PublishMsgBatch(ctx, l.streams, batch); err != nil {
			return err
		}
	}
	return nil
}

// forget takes a subscription back, so that the server keeps no place in the stream for nobody.
func (l *link) forget(stream, name string) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	// Where the server is away it does so by itself after a while.
	_ = l.streams.DeleteConsumer(ctx, stream, name)
}

func (l *link) Close() {
	for _, leave := range l.left {
		leave()
	}
	l.connection.Close()
}

// Abandon leaves without a word.
func (l *link) Abandon() { l.connection.Close() }
