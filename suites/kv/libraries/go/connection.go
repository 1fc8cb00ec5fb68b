package kv

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"

	"wirelab.dev/sdk"
)

// connection is the store of a worker: connected when it is first asked for, and after that has
// failed when it is asked for again. For any number of goroutines.
type connection[B any] struct {
	connect   func(ctx context.Context) (Store[B], error)
	mutex     sync.Mutex
	connected atomic.Pointer[Store[B]]
}

// connectionOf is open unless connecting is part of the first read.
func connectionOf[B any](spec *sdk.Spec, contender *Contender[B]) (*connection[B], error) {
	address, err := addressOf(spec)
	if err != nil {
		return nil, err
	}
	made := &connection[B]{connect: func(ctx context.Context) (Store[B], error) {
		return contender.Connect(ctx, address, spec)
	}}
	when, err := sdk.Parameter(spec, "connect", "")
	if err == nil && when != "timed" {
		err = made.open(context.Background())
	}
	return made, err
}

// addressOf is HOST:PORT of the role server; a scheme before it is left out.
func addressOf(spec *sdk.Spec) (string, error) {
	endpoint, ok := spec.Endpoints["server"]
	if !ok {
		return "", errors.New("endpoints has no server")
	}
	if _, address, found := strings.Cut(endpoint, "://"); found {
		endpoint = address
	}
	return strings.TrimSuffix(endpoint, "/"), nil
}

func (c *connection[B]) store(ctx context.Context) (Store[B], error) {
	if store := c.connected.Load(); store != nil {
		return *store, nil
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	// Another call may have connected while this one waited.
	if store := c.connected.Load(); store != nil {
		return *store, nil
	}
	store, err := c.connect(ctx)
	if err != nil {
		return nil, err
	}
	c.connected.Store(&store)
	return store, nil
}

// open connects before anything is timed, also a library that would do so with its first call.
func (c *connection[B]) open(ctx context.Context) error {
	store, err := c.store(ctx)
	if late, ok := store.(Pinger); ok {
		err = late.Ping(ctx)
	}
	return err
}

func (c *connection[B]) close() error {
	if store := c.connected.Load(); store != nil {
		return (*store).Close()
	}
	return nil
}
