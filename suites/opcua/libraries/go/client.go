// Package opcua is what Go contenders of the suite opcua share: what they read and write, when they
// do, and their answers. A contender brings a [Library].
package opcua

import (
	"context"

	"wirelab.dev/sdk"
)

// Library is a client library under test, for any number of goroutines.
type Library interface {
	// Prepare makes ready what opening a session needs, such as the server's endpoint. It is called
	// before the first session of a spec, and again after it has failed.
	Prepare(ctx context.Context) error
	// Open opens a session over a channel of its own. The library keeps it up from there on, where it can.
	Open(ctx context.Context) (Session, error)
	// Explain says how a failure of the library is recorded, and its class and status in the
	// library's words. [sdk.NetworkStatus] knows those of connections.
	Explain(err error) (status uint8, class, name string)
}

// Session is one session with the server, for any number of goroutines.
type Session interface {
	// Read reads the nodes of [NodeLists.Reads]: attribute Value, source timestamps.
	Read(ctx context.Context) (Results, error)
	// Writing prepares the write of a sequence to [NodeLists.Writes]. What it returns sends it.
	Writing(sequence int64) func(ctx context.Context) (Results, error)
	// Close leaves the server.
	Close(ctx context.Context) error
}

// Make makes a library of a spec; nothing is connected yet.
type Make func(spec *sdk.Spec, nodeLists *NodeLists) (Library, error)

var capabilities = []string{"security", "auto-reconnect", "async", "node-list", "lanes"}

// Main is the worker of a contender: it connects, answers the preflight, and carries out the schedule.
func Main(named sdk.Named, make Make) {
	sdk.Main(func(w *sdk.Worker) error {
		nodeLists, err := nodeListsOf(w.Spec)
		if err != nil {
			return err
		}
		library, err := make(w.Spec, nodeLists)
		if err != nil {
			return err
		}
		ready := sdk.Ready{Library: named, Capabilities: capabilities}
		if len(w.Spec.Schedule.Steps) > 0 {
			return playLanes(w, ready, library, nodeLists)
		}
		return playTicks(w, ready, library, nodeLists)
	})
}

func failed(library Library, err error) sdk.Outcome {
	status, class, name := library.Explain(err)
	if sdk.IsTimeout(err) {
		status = sdk.Timeout
	}
	return sdk.Outcome{Status: status, Fault: &sdk.Fault{Class: class, Status: name, Message: err.Error()}}
}

func read(ctx context.Context, library Library, nodeLists *NodeLists, session Session, call *sdk.Call) sdk.Outcome {
	results, err := session.Read(ctx)
	call.End()
	if err != nil {
		return failed(library, err)
	}
	return nodeLists.read(results)
}
