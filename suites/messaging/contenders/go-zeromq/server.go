package main

import (
	"errors"
	"fmt"
	"runtime"
	"strings"

	zmq "github.com/pebbe/zmq4"
	"wirelab.dev/messaging"
	"wirelab.dev/sdk"
)

const (
	subscribed = 1
	scheme     = "tcp://"
)

// serve is the server: a ROUTER answers, an XPUB tells everybody.
func serve(w *sdk.Worker) error {
	mark, err := sdk.Parameter(w.Spec, "high_water_mark", defaultHWM)
	if err != nil {
		return err
	}
	sockets, err := zmq.NewContext()
	if err != nil {
		return err
	}
	if err := sockets.SetMaxSockets(maxSockets); err != nil {
		return err
	}
	asks, err := bound(sockets, zmq.ROUTER, int(mark), scheme+w.Spec.Listen)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", w.Spec.Listen, err)
	}
	publishes := messaging.SecondAddressOf(w.Spec, "publisher")
	publisher, err := bound(sockets, zmq.XPUB, int(mark), scheme+publishes.Wanted)
	if err != nil {
		return fmt.Errorf("publish on %s: %w", publishes.Wanted, err)
	}
	// A subscriber for which too much waits holds the publisher up: the default drops in silence.
	if err := publisher.SetXpubNodrop(true); err != nil {
		return err
	}
	first, err := asks.GetLastEndpoint()
	second, failed := publisher.GetLastEndpoint()
	if err := errors.Join(err, failed, publishes.Taken(strings.TrimPrefix(second, scheme))); err != nil {
		return err
	}
	if err := w.Ready(sdk.Ready{
		Library: named(), Endpoint: first + " " + second, Facts: map[string]any{"stamps": true},
	}); err != nil {
		return err
	}
	over := make(chan error, 1)
	go func() { over <- answer(asks, publisher) }()
	select {
	case err := <-over:
		return err
	case <-w.Stopped():
		return nil
	}
}

func bound(sockets *zmq.Context, kind zmq.Type, mark int, at string) (*zmq.Socket, error) {
	socket, err := sockets.NewSocket(kind)
	if err != nil {
		return nil, err
	}
	return socket, errors.Join(
		socket.SetLinger(0), socket.SetSndhwm(mark), socket.SetRcvhwm(mark), socket.Bind(at),
	)
}

// answer owns both sockets, on a thread of its own.
func answer(asks, publisher *zmq.Socket) error {
	runtime.LockOSThread()
	poller := zmq.NewPoller()
	poller.Add(asks, zmq.POLLIN)
	poller.Add(publisher, zmq.POLLIN)
	for {
		ready, err := poller.Poll(-1)
		if err != nil {
			return err
		}
		for _, one := range ready {
			frames, err := one.Socket.RecvMessageBytes(0)
			if err == nil && one.Socket == publisher {
				err = greet(publisher, frames)
			} else if err == nil {
				err = serveOne(asks, publisher, frames)
			}
			if err != nil {
				return err
			}
		}
	}
}

// greet publishes to who has just subscribed to a topic of its own.
func greet(publisher *zmq.Socket, frames [][]byte) error {
	event := frames[0]
	if len(event) == 0 || event[0] != subscribed || !strings.HasPrefix(string(event[1:]), greeting) {
		return nil
	}
	_, err := publisher.SendMessage(event[1:], "")
	return err
}

// serveOne answers an echo and publishes what is for all; what is neither is passed over.
func serveOne(asks, publisher *zmq.Socket, frames [][]byte) error {
	if len(frames) != 3 {
		return nil
	}
	sender, kind, message := frames[0], string(frames[1]), frames[2]
	var err error
	switch {
	case kind == echoed && messaging.StampServed(message):
		_, err = asks.SendMessage(sender, message)
	case kind == told:
		_, err = publisher.SendMessage(everybody, message)
	}
	return err
}
