package main

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/eclipse/paho.golang/paho"
)

// wire takes everything, and remembers under which deadlines.
type wire struct {
	net.Conn
	deadline time.Time
	written  []time.Time
}

func (w *wire) Write(bytes []byte) (int, error) {
	w.written = append(w.written, w.deadline)
	return len(bytes), nil
}

func (w *wire) SetWriteDeadline(deadline time.Time) error {
	w.deadline = deadline
	return nil
}

func TestTheDeadlineOfAPublishIsOfThatAlone(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	wanted, _ := ctx.Deadline()
	conn := &wire{}
	l := &link{conn: conn, client: paho.NewClient(paho.ClientConfig{Conn: conn})}
	if err := l.Broadcast(ctx, []byte("message")); err != nil {
		t.Fatal(err)
	}
	if len(conn.written) == 0 {
		t.Fatal("nothing was written")
	}
	for _, under := range conn.written {
		if under != wanted {
			t.Errorf("written under %v, not %v", under, wanted)
		}
	}
	if !conn.deadline.IsZero() {
		t.Errorf("what is written later has to be there by %v", conn.deadline)
	}
}
