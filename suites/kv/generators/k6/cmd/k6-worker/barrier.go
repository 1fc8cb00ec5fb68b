package main

import (
	"net/http"
	"sync"

	"wirelab.dev/sdk"
	"wirelab.dev/sdk/k6"
)

// barrier is where the users of a step wait for each other when they have settled: those of k6 know
// nothing of each other. The request to it is in no figure.
type barrier struct {
	server *k6.Server
	failed chan error

	mutex   sync.Mutex
	missing int64
	beginNS int64
	// opened is closed when nobody is missing.
	opened chan struct{}
}

func newBarrier(lanes int64) (*barrier, error) {
	b := &barrier{failed: make(chan error, 1), missing: lanes, opened: make(chan struct{})}
	routes := http.NewServeMux()
	routes.HandleFunc("GET /settled", b.settled)
	var err error
	b.server, err = k6.Serve(routes, b.failed)
	return b, err
}

func (b *barrier) url() string {
	return b.server.URL() + "/settled"
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
