// go-zeromq is github.com/pebbe/zmq4, the binding of libzmq: clients and server.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	zmq "github.com/pebbe/zmq4"
	"wirelab.dev/messaging"
	"wirelab.dev/sdk"
)

const (
	library    = "github.com/pebbe/zmq4"
	maxSockets = 16_384
	defaultHWM = int64(1000)
	// How soon the goroutine of a subscription sees that its user has left.
	sight = 100 * time.Millisecond

	echoed, told = "e", "b"
	everybody    = "all"
	greeting     = "hello."
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == "server" {
		sdk.Main(serve)
		return
	}
	messaging.Main(messaging.Contender{
		Library:          named(),
		Open:             open,
		ReconnectsItself: true,
		// Sockets connect again by themselves and tell nobody of a loss: a caller sees a timeout.
		Errors: sdk.Errors{Timeout: []error{zmq.Errno(syscall.EAGAIN)}},
	})
}

func named() sdk.Named {
	major, minor, patch := zmq.Version()
	version := fmt.Sprintf("%s (libzmq %d.%d.%d)", sdk.ModuleVersion(library), major, minor, patch)
	return sdk.Named{Name: "pebbe/zmq4", Version: version}
}

func isAgain(err error) bool { return zmq.AsErrno(err) == zmq.Errno(syscall.EAGAIN) }

func open(spec *sdk.Spec) (messaging.Connect, error) {
	mark, err := sdk.Parameter(spec, "high_water_mark", defaultHWM)
	if err != nil {
		return nil, err
	}
	asks, publishes, ok := strings.Cut(spec.Endpoints["server"], " ")
	if !ok {
		return nil, fmt.Errorf("endpoints.server: expected two addresses, found %q", spec.Endpoints["server"])
	}
	sockets, err := zmq.NewContext()
	if err != nil {
		return nil, err
	}
	if err := sockets.SetMaxSockets(maxSockets); err != nil {
		return nil, err
	}
	limit := spec.Limits.Operation()
	return func(_ context.Context, user int64, inbox messaging.Inbox) (messaging.Link, error) {
		dealer, err := connected(sockets, zmq.DEALER, int(mark), limit, asks)
		if err != nil {
			return nil, err
		}
		l := &link{dealer: dealer}
		if inbox != nil {
			subscription, err := connected(sockets, zmq.SUB, int(mark), limit, publishes)
			if err != nil {
				return l, err
			}
			return l, l.listen(subscription, user, inbox)
		}
		return l, nil
	}, nil
}

func connected(
	sockets *zmq.Context, kind zmq.Type, mark int, limit time.Duration, endpoint string,
) (*zmq.Socket, error) {
	socket, err := sockets.NewSocket(kind)
	if err != nil {
		return nil, err
	}
	return socket, errors.Join(
		socket.SetLinger(0), socket.SetSndhwm(mark), socket.SetRcvhwm(mark),
		socket.SetRcvtimeo(limit), socket.SetSndtimeo(limit), socket.Connect(endpoint),
	)
}

// link is one user. Its dealer is used by the goroutine of the user alone, its subscription by another.
type link struct {
	dealer *zmq.Socket
	left   atomic.Bool
}

// listen returns when the publisher has greeted a topic that was subscribed to last: subscribing is not
// answered.
func (l *link) listen(subscription *zmq.Socket, user int64, inbox messaging.Inbox) error {
	// Ended by a point: a topic is subscribed to by how it begins.
	own := fmt.Sprintf("%s%d.", greeting, user)
	err := errors.Join(subscription.SetSubscribe(everybody), subscription.SetSubscribe(own))
	if err == nil {
		_, err = subscription.RecvMessageBytes(0)
	}
	if err = errors.Join(err, subscription.SetRcvtimeo(sight)); err != nil {
		return errors.Join(err, subscription.Close())
	}
	go l.read(subscription, inbox)
	return nil
}

func (l *link) read(subscription *zmq.Socket, inbox messaging.Inbox) {
	defer subscription.Close()
	for !l.left.Load() {
		frames, err := subscription.RecvMessageBytes(0)
		switch {
		case err != nil && !isAgain(err):
			fmt.Fprintf(os.Stderr, "a subscription ended: %v\n", err)
			return
		case len(frames) == 2 && string(frames[0]) == everybody && !l.left.Load():
			inbox(frames[1])
		}
	}
}

func (l *link) Echo(_ context.Context, message []byte) ([]byte, error) {
	if _, err := l.dealer.SendMessage(echoed, message); err != nil {
		return nil, err
	}
	for {
		frames, err := l.dealer.RecvMessageBytes(0)
		if err != nil {
			return nil, err
		}
		// What came too late for a call that was given up is not the answer to this one.
		if len(frames) == 1 && messaging.Answers(frames[0], message) {
			return frames[0], nil
		}
	}
}

func (l *link) Broadcast(_ context.Context, message []byte) error {
	_, err := l.dealer.SendMessage(told, message)
	return err
}

// Close is all of a goodbye that ZeroMQ has.
func (l *link) Close() {
	l.left.Store(true)
	_ = l.dealer.Close()
}
