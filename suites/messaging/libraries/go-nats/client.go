// Package natsclient is the part that contenders by way of github.com/nats-io/nats.go share: a
// connection for each user, subjects, and errors of the library.
package natsclient

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go"
	"wirelab.dev/messaging"
	"wirelab.dev/sdk"
)

// Everybody is the subject of broadcasts.
const Everybody = "wirelab.all"

// Subject is the one on which a user alone listens.
func Subject(user int64) string { return fmt.Sprintf("wirelab.user.%d", user) }

// Linked makes the link of a user, whose connection is open. Where it returns no link, the connection
// is closed.
type Linked func(
	ctx context.Context, connection *nats.Conn, user int64, inbox messaging.Inbox,
) (messaging.Link, error)

// Main plays the role client. prepare reads what links need of the trial; lost are errors of a lost
// connection beside those of nats.go itself.
func Main(prepare func(spec *sdk.Spec) (Linked, error), lost ...error) {
	disconnected := []error{nats.ErrConnectionClosed, nats.ErrDisconnected, nats.ErrStaleConnection}
	messaging.Main(messaging.Contender{
		Library: sdk.Module("nats.go", "github.com/nats-io/nats.go"),
		Open: func(spec *sdk.Spec) (messaging.Connect, error) {
			linked, err := prepare(spec)
			if err != nil {
				return nil, err
			}
			return connecting(spec, linked)
		},
		ReconnectsItself: true,
		Errors: sdk.Errors{
			Timeout:      []error{nats.ErrTimeout},
			Refused:      []error{nats.ErrNoServers},
			Disconnected: slices.Concat(disconnected, lost),
		},
	})
}

func connecting(spec *sdk.Spec, linked Linked) (messaging.Connect, error) {
	wait, err := sdk.Parameter(spec, "reconnect_wait_ms", int64(100))
	options := []nats.Option{
		nats.ReconnectWait(time.Duration(wait) * time.Millisecond), nats.MaxReconnects(-1),
		nats.Timeout(spec.Limits.Operation()),
		// What becomes of a message is seen by who waits for it.
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}),
	}
	return func(ctx context.Context, user int64, inbox messaging.Inbox) (messaging.Link, error) {
		connection, err := nats.Connect(spec.Endpoints["server"], options...)
		if err != nil {
			return nil, err
		}
		link, err := linked(ctx, connection, user, inbox)
		if link == nil {
			connection.Close()
		}
		return link, err
	}, err
}
