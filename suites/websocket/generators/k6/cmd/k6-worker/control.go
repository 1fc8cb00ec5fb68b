package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
)

// control is what k6's setup() asks while the core waits: k6 has no other way to be told when
// tick 0 is, and starts its users as soon as setup() returns.
type control struct {
	listener net.Listener
	server   *http.Server

	answers chan []preflightAnswer
	failed  chan string
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
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("control: %w", err)
	}
	c := &control{
		listener: listener,
		answers:  make(chan []preflightAnswer, 1), failed: make(chan string, 1),
		waiting: make(chan struct{}, 1), epochMS: make(chan string, 1),
	}
	routes := http.NewServeMux()
	routes.HandleFunc("POST /preflight", c.preflight)
	routes.HandleFunc("POST /failed", c.fail)
	routes.HandleFunc("GET /start", c.start)
	c.server = &http.Server{Handler: routes}
	go func() {
		if err := c.server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			c.failed <- err.Error()
		}
	}()
	return c, nil
}

func (c *control) url() string {
	return "http://" + c.listener.Addr().String()
}

func (c *control) close() {
	_ = c.server.Close()
}

func (c *control) preflight(response http.ResponseWriter, request *http.Request) {
	var answers []preflightAnswer
	if err := json.NewDecoder(request.Body).Decode(&answers); err != nil {
		http.Error(response, err.Error(), http.StatusBadRequest)
		c.failed <- fmt.Sprintf("the answers of the preflight: %v", err)
		return
	}
	c.answers <- answers
}

func (c *control) fail(_ http.ResponseWriter, request *http.Request) {
	reason, _ := io.ReadAll(io.LimitReader(request.Body, 4096))
	c.failed <- string(reason)
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
