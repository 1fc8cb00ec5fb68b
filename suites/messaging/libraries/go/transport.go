// Package messaging is what Go contenders of the suite messaging share: messages, counts, and the
// users of a trial. A contender brings a [Transport].
package messaging

import "context"

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
	// Close leaves, with what the library's protocol has for a goodbye.
	Close() error
	// Abandon leaves without a word, as a process does that is killed.
	Abandon()
}

// Transport is a way of messaging, one for all users of a worker.
type Transport interface {
	// Connect connects a user: from here on it gets every broadcast that is sent.
	Connect(ctx context.Context, user int64, inbox Inbox) (Link, error)
	// ReconnectsItself says whether the library makes a lost connection again.
	ReconnectsItself() bool
	// Explain says how a failure of the library is recorded, and its class and status in the
	// library's words.
	Explain(err error) (status uint8, class, name string)
}
