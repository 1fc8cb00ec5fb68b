package main

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"

	"wirelab.dev/sdk"
)

// barrier is where the users of a step wait for each other when they have settled: those of k6 know
// nothing of each other. The request to it is in no figure.
type barrier struct {
	listener net.Listener
	server   *http.Server
	failed   chan error

	mutex   sync.Mutex
	missing int64
	beginNS int64
	// opened is closed when nobody is missing.
	opened chan struct{}
}

func newBarrier(lanes int64) (*barrier, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("barrier: %w", err)
	}
	b := &barrier{
		listener: listener, failed: make(chan error, 1), missing: lanes, opened: make(chan struct{}),
	}
	routes := http.NewServeMux()
	routes.HandleFunc("GET /settled", b.settled)
	b.server = &http.Server{Handler: routes}
	go func() {
		if err := b.server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			b.failed <- fmt.Errorf("barrier: %w", err)
		}
	}()
	return b, nil
}

func (b *barrier) url() string {
	return "http://" + b.listener.Addr().String() + "/settled"
}

func (b *barrier) close() {
	_ = b.server.Close()
}

// settled answers when all users have asked.
func (b *barrier) settled(response http.ResponseWriter, request *http.Request) {
	b.arrive()
	select {
	case <-b.opened:
		response.WriteHeader(http.StatusNoContent)
	case <-request.Context().Done():
	}
}

func (b *barrier) arrive() {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.missing--
	if b.missing == 0 {
		b.beginNS = sdk.Now()
		close(b.opened)
	}
}

// begunNS is when the last user had settled, on CLOCK_MONOTONIC; 0: it has not.
func (b *barrier) begunNS() int64 {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.beginNS
}
