package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"wirelab.dev/sdk/k6"
)

// control is what k6's setup() asks while the core waits: k6 has no other way to be told when
// tick 0 is, and starts its users as soon as setup() returns.
type control struct {
	server *k6.Server

	answers chan []preflightAnswer
	failed  chan error
	waiting chan struct{}
	epochMS chan string
}

// preflightAnswer is what came of a draw before the start.
type preflightAnswer struct {
	preflightDraw
	Receivers []int64  `json:"receivers"`
	Copies    []string `json:"copies"`
	StartMS   int64    `json:"start_ms"`
	EndMS     int64    `json:"end_ms"`
}

func newControl() (*control, error) {
	c := &control{
		answers: make(chan []preflightAnswer, 1), failed: make(chan error, 1),
		waiting: make(chan struct{}, 1), epochMS: make(chan string, 1),
	}
	routes := http.NewServeMux()
	routes.HandleFunc("POST /preflight", c.preflight)
	routes.HandleFunc("POST /failed", c.fail)
	routes.HandleFunc("GET /start", c.start)
	var err error
	c.server, err = k6.Serve(routes, c.failed)
	return c, err
}

func (c *control) preflight(response http.ResponseWriter, request *http.Request) {
	var answers []preflightAnswer
	if err := json.NewDecoder(request.Body).Decode(&answers); err != nil {
		http.Error(response, err.Error(), http.StatusBadRequest)
		c.failed <- fmt.Errorf("the answers of the preflight: %w", err)
		return
	}
	c.answers <- answers
}

func (c *control) fail(_ http.ResponseWriter, request *http.Request) {
	reason, _ := io.ReadAll(io.LimitReader(request.Body, 4096))
	c.failed <- errors.New(string(reason))
}

// start answers when tick 0 is known.
func (c *control) start(response http.ResponseWriter, request *http.Request) {
	c.waiting <- struct{}{}
	select {
	case epoch := <-c.epochMS:
		response.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(response, `{"epoch_ms": %s}`, epoch)
	case <-request.Context().Done():
	}
}
