// Package opcua is what Go contenders of the suite opcua share: what they read and write, when they
// do, and their answers. A contender brings a [Contender], and with it a [Library].
package opcua

import (
	"context"
	"time"

	"wirelab.dev/sdk"
)

// Library is a client library under test, for any number of goroutines.
type Library interface {
	// Prepare makes ready what opening a session needs, such as the server's endpoint. It is called
	// before the first session of a spec, and again after it has failed.
	Prepare(ctx context.Context) error
	// Open opens a session over a channel of its own. The library keeps it up from there on, where it can.
	Open(ctx context.Context) (Session, error)
}

// Session is one session with the server, for any number of goroutines.
type Session interface {
	// Read reads the nodes of [NodeLists.Reads]: attribute Value, source timestamps.
	Read(ctx context.Context) (Results, error)
	// Writing prepares the write of a sequence to [NodeLists.Writes]. What it returns sends it.
	Writing(sequence int64) func(ctx context.Context) (Results, error)
	// Poll reads the nodes of [NodeLists.Watched] as Read reads others.
	Poll(ctx context.Context) ([]Reading, error)
	// Subscribe has the server tell changes of new values of [NodeLists.Watched], sampled as often as it
	// publishes, with so many values of each that are kept for a client that is behind.
	Subscribe(ctx context.Context, interval time.Duration, kept uint32, changes *Changes) error
	// Close leaves the server.
	Close(ctx context.Context) error
}

// Contender is a client library of OPC UA.
type Contender struct {
	Library sdk.Named
	// Make makes the library of a spec; nothing is connected yet.
	Make func(spec *sdk.Spec, nodeLists *NodeLists) (Library, error)
	// Errors are the library's own.
	Errors sdk.Errors
}

var capabilities = []string{"security", "subscriptions", "auto-reconnect", "async", "node-list", "lanes"}

// Main is the worker of a contender: it connects, answers the preflight, and carries out the schedule.
func Main(contender Contender) {
	sdk.Main(func(w *sdk.Worker) error {
		nodeLists, err := nodeListsOf(w.Spec)
		if err != nil {
			return err
		}
		library, err := contender.Make(w.Spec, nodeLists)
		if err != nil {
			return err
		}
		client := client{library: library, nodeLists: nodeLists, errors: contender.Errors}
		ready := sdk.Ready{Library: contender.Library, Capabilities: capabilities}
		if len(w.Spec.Schedule.Steps) > 0 {
			return playLanes(w, ready, client)
		}
		return playTicks(w, ready, client)
	})
}

// client is a library with what it reads and writes.
type client struct {
	library   Library
	nodeLists *NodeLists
	errors    sdk.Errors
}

func (c *client) read(ctx context.Context, session Session, call *sdk.Call) sdk.Outcome {
	results, err := session.Read(ctx)
	call.End()
	if err != nil {
		return c.errors.Outcome(ctx, err)
	}
	return c.nodeLists.read(results)
}
