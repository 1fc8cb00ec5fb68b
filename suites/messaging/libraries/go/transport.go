// Package messaging is what Go contenders of the suite messaging share: messages, counts, and the
// users of a trial. A contender brings a [Contender], and with it the links of its users.
package messaging

import (
	"context"

	"wirelab.dev/sdk"
)

// Inbox takes what is broadcast to one user: a message of its exact length, which the library may
// use again afterwards.
type Inbox func(message []byte)

// Link is the connection of one user, for one goroutine at a time.
type Link interface {
	// Echo sends a message that comes back to this user alone, and returns what came.
	Echo(ctx context.Context, message []byte) ([]byte, error)
	// Broadcast sends a message to all users, the sender included, and returns when the library
	// goes on.
	Broadcast(ctx context.Context, message []byte) error
	// Close leaves, with what the library's protocol has for a goodbye. Nobody asks whether it could.
	Close()
}

// Streamer is a link that can send messages to all users without waiting for one before the next, and
// has another way to do so than one broadcast after the other.
type Streamer interface {
	// Stream returns when the library lets its caller go on.
	Stream(ctx context.Context, messages [][]byte) error
}

// Abandoner is a link that can leave without a word, as a process does that is killed. Of others it is
// closed.
type Abandoner interface {
	Abandon()
}

// Connect connects a user: from its return on the user gets every broadcast that is sent. The inbox
// is nil where nobody sends, or where this user gets nothing of it. A link that comes with an error is
// abandoned.
type Connect func(ctx context.Context, user int64, inbox Inbox) (Link, error)

// Contender is a way of messaging, one for all users of a worker.
type Contender struct {
	Library sdk.Named
	// Open makes, of the address of the role server and the tuning, what connects users.
	Open func(spec *sdk.Spec) (Connect, error)
	// ReconnectsItself says whether the library makes a lost connection again.
	ReconnectsItself bool
	// Errors are the library's own.
	Errors sdk.Errors
}

// IsStream says whether messages are sent one after the other without waiting for any of them.
func IsStream(spec *sdk.Spec) bool {
	messages, err := sdk.Parameter(spec, "messages", int64(0))
	return err == nil && messages > 0
}
