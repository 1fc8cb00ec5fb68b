// Package kv is what Go contenders of the suite kv share: the multi-gets they ask for, the rows they
// bring, and their checks. A contender brings a [Contender], and with it a [Store].
package kv

import (
	"context"
	"errors"
	"fmt"

	"wirelab.dev/sdk"
)

// Store is a client of one database, for any number of goroutines. B is a multi-get in the library's
// own form.
type Store[B any] interface {
	// Read asks for a multi-get. It returns plain rows: everything is decoded.
	Read(ctx context.Context, multiGet B) (Rows, error)
	// Close frees the connections.
	Close() error
}

// Pinger is a [Store] that connects when it is first used: it is pinged where connecting is not timed.
type Pinger interface {
	Ping(ctx context.Context) error
}

// Contender is a client library of one database.
type Contender[B any] struct {
	Library sdk.Named
	// Prepare puts a multi-get into the library's form, before anything is timed.
	Prepare func(set int64, keys []string) (B, error)
	// Connect makes a store from the HOST:PORT of the role server and the tuning: before the worker is
	// ready or, where connecting is timed, with the first call, and after it has failed with the next.
	Connect func(ctx context.Context, address string, spec *sdk.Spec) (Store[B], error)
	// Errors are the library's own.
	Errors sdk.Errors
}

// Main is the worker of a contender: it connects, answers the preflight, and carries out the
// schedule.
func Main[B any](contender Contender[B]) {
	sdk.Main(func(w *sdk.Worker) error { return play(w, &contender) })
}

func play[B any](w *sdk.Worker, contender *Contender[B]) error {
	connection, err := connectionOf(w.Spec, contender)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	actions, err := actionsOf(w.Spec, contender, connection)
	if err != nil {
		return err
	}
	if err := w.Preflight(actions); err != nil {
		return err
	}
	if err := w.Ready(sdk.Ready{Library: contender.Library, Capabilities: []string{"lanes"}}); err != nil {
		return err
	}
	barrier, err := sdk.Parameter(w.Spec, "barrier", false)
	if err == nil {
		err = w.Drive(sdk.Load{Actions: actions, Barrier: barrier})
	}
	return errors.Join(err, connection.close())
}

// actionsOf is what the scenario asks for: multi-gets, or single records.
func actionsOf[B any](
	spec *sdk.Spec, contender *Contender[B], connection *connection[B],
) (map[string]sdk.Action, error) {
	if _, ok := spec.Operations[recordsOperation]; ok {
		records, err := newRecords(spec, contender, connection)
		if err != nil {
			return nil, err
		}
		return map[string]sdk.Action{recordsOperation: records.perform}, nil
	}
	reader, err := newReader(spec, contender, connection)
	if err != nil {
		return nil, err
	}
	return map[string]sdk.Action{"read": reader.read}, nil
}
