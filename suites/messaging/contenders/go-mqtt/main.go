// go-mqtt is github.com/eclipse/paho.golang: MQTT 5, a connection for each user.
package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"net/url"
	"time"

	"github.com/eclipse/paho.golang/paho"
	"wirelab.dev/messaging"
	"wirelab.dev/sdk"
)

const (
	everybody = "wirelab/all"
	keepAlive = 30 // seconds
	leave     = time.Second
)

var errLost = errors.New("the connection was lost")

func main() {
	messaging.Main(messaging.Contender{
		Library: sdk.Module("paho.golang", "github.com/eclipse/paho.golang"),
		Open:    open,
		// autopaho, beside it in the module, would.
		ReconnectsItself: false,
		Errors:           sdk.Errors{Disconnected: []error{errLost}},
	})
}

func open(spec *sdk.Spec) (messaging.Connect, error) {
	broker, err := url.Parse(spec.Endpoints["server"])
	qos, wrong := sdk.Parameter(spec, "qos", int64(0))
	return func(ctx context.Context, user int64, inbox messaging.Inbox) (messaging.Link, error) {
		var dialer net.Dialer
		conn, err := dialer.DialContext(ctx, "tcp", broker.Host)
		if err != nil {
			return nil, err
		}
		l := &link{
			conn: conn, qos: byte(qos), topic: fmt.Sprintf("wirelab/user/%d", user), inbox: inbox,
			replies: make(chan reply, 1),
		}
		l.client = paho.NewClient(paho.ClientConfig{
			Conn: conn, OnPublishReceived: []func(paho.PublishReceived) (bool, error){l.received},
			// Its own limit of 10 s is below what an operation may take.
			PacketTimeout: spec.Limits.Operation(),
		})
		return l, l.subscribe(ctx, broker.User)
	}, errors.Join(err, wrong)
}

type reply struct {
	correlation uint64
	message     []byte
}

// link is one user.
type link struct {
	conn    net.Conn
	client  *paho.Client
	qos     byte
	topic   string
	inbox   messaging.Inbox
	asked   uint64
	replies chan reply
}

func (l *link) subscribe(ctx context.Context, user *url.Userinfo) error {
	hello := &paho.Connect{ClientID: l.topic, KeepAlive: keepAlive, CleanStart: true}
	if user != nil {
		password, known := user.Password()
		hello.Username, hello.UsernameFlag = user.Username(), true
		hello.Password, hello.PasswordFlag = []byte(password), known
	}
	if _, err := l.client.Connect(ctx, hello); err != nil {
		return err
	}
	topics := []paho.SubscribeOptions{{Topic: l.topic, QoS: l.qos}}
	if l.inbox != nil {
		topics = append(topics, paho.SubscribeOptions{Topic: everybody, QoS: l.qos})
	}
	_, err := l.client.Subscribe(ctx, &paho.Subscribe{Subscriptions: topics})
	return err
}

// received takes what comes, on the library's goroutine of this connection.
func (l *link) received(came paho.PublishReceived) (bool, error) {
	packet := came.Packet
	if packet.Topic == everybody {
		l.inbox(packet.Payload)
		return true, nil
	}
	correlation := uint64(0)
	if packet.Properties != nil && len(packet.Properties.CorrelationData) == 8 {
		correlation = binary.BigEndian.Uint64(packet.Properties.CorrelationData)
	}
	select {
	case l.replies <- reply{correlation, packet.Payload}:
	default: // two answers that nobody waits for
	}
	return true, nil
}

func (l *link) Echo(ctx context.Context, message []byte) ([]byte, error) {
	l.asked++
	correlation := binary.BigEndian.AppendUint64(nil, l.asked)
	published := &paho.Publish{
		Topic: l.topic, QoS: l.qos, Payload: message, Properties: &paho.PublishProperties{CorrelationData: correlation},
	}
	if err := l.publish(ctx, published); err != nil {
		return nil, err
	}
	for {
		select {
		case came := <-l.replies:
			// What came too late for a call that was given up is not the answer to this one.
			if came.correlation == l.asked {
				return came.message, nil
			}
		case <-l.client.Done():
			return nil, errLost
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (l *link) Broadcast(ctx context.Context, message []byte) error {
	return l.publish(ctx, &paho.Publish{Topic: everybody, QoS: l.qos, Payload: message})
}

// publish writes to the socket, which takes no context: its deadline is the context's. With QoS 1 the
// library waits for the broker's word.
func (l *link) publish(ctx context.Context, publish *paho.Publish) error {
	if deadline, ok := ctx.Deadline(); ok {
		if err := l.conn.SetWriteDeadline(deadline); err != nil {
			return err
		}
		// A deadline holds for all that is written later, pings and acknowledgements too.
		defer func() { _ = l.conn.SetWriteDeadline(time.Time{}) }()
	}
	_, err := l.client.Publish(ctx, publish)
	return err
}

// Close takes leave of a broker that still reads.
func (l *link) Close() {
	_ = l.conn.SetWriteDeadline(time.Now().Add(leave))
	_ = l.client.Disconnect(&paho.Disconnect{ReasonCode: 0})
}

func (l *link) Abandon() { _ = l.conn.Close() }
