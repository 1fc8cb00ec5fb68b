// Package kv is what Go contenders of the suite kv share: the multi-gets they ask for, the rows they
// bring, and their checks. A contender brings a [Store].
package kv

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"wirelab.dev/sdk"
)

// Store is a client of one database, for any number of goroutines. B is a multi-get in the library's
// own form.
type Store[B any] interface {
	// Prepare puts a multi-get into the library's form, before anything is timed.
	Prepare(set int64, keys []string) (B, error)
	// Read asks for a multi-get. It returns plain rows: everything is decoded.
	Read(ctx context.Context, multiGet B) (Rows, error)
	// Explain says how a failure of the library is recorded, and its class and status in the
	// library's words. [sdk.NetworkStatus] knows those of connections.
	Explain(err error) (status uint8, class, name string)
	// Close frees the connections.
	Close() error
}

// Connect makes a store from the address of the role server and the tuning.
type Connect[B any] func(ctx context.Context, spec *sdk.Spec) (Store[B], error)

// Main is the worker of a contender: it connects, answers the preflight, and carries out the
// schedule.
func Main[B any](library sdk.Named, connect Connect[B]) {
	sdk.Main(func(w *sdk.Worker) error { return play(w, library, connect) })
}

func play[B any](w *sdk.Worker, library sdk.Named, connect Connect[B]) error {
	ctx := context.Background()
	store, err := connect(ctx, w.Spec)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	actions, err := actionsOf(w.Spec, store)
	if err != nil {
		return err
	}
	if err := w.Preflight(actions); err != nil {
		return err
	}
	if err := w.Ready(sdk.Ready{Library: library, Capabilities: []string{"lanes"}}); err != nil {
		return err
	}
	barrier, err := sdk.Parameter(w.Spec, "barrier", false)
	if err == nil {
		err = w.Drive(sdk.Load{Actions: actions, Barrier: barrier})
	}
	return errors.Join(err, store.Close())
}

// actionsOf is what the scenario asks for: multi-gets, or single records.
func actionsOf[B any](spec *sdk.Spec, store Store[B]) (map[string]sdk.Action, error) {
	if _, ok := spec.Operations[recordsOperation]; ok {
		records, err := newRecords(spec, store)
		if err != nil {
			return nil, err
		}
		return map[string]sdk.Action{recordsOperation: records.perform}, nil
	}
	reader, err := newReader(spec, store)
	if err != nil {
		return nil, err
	}
	return map[string]sdk.Action{"read": reader.read}, nil
}

// Endpoint is HOST:PORT of the role server; a scheme before it is left out.
func Endpoint(spec *sdk.Spec) (string, error) {
	endpoint, ok := spec.Endpoints["server"]
	if !ok {
		return "", errors.New("endpoints has no server")
	}
	if _, address, found := strings.Cut(endpoint, "://"); found {
		endpoint = address
	}
	return strings.TrimSuffix(endpoint, "/"), nil
}

// ConnectsLate says whether connecting is part of the first read.
func ConnectsLate(spec *sdk.Spec) (bool, error) {
	when, err := sdk.Parameter(spec, "connect", "")
	return when == "timed", err
}
