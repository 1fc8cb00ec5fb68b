package k6

import (
	"errors"
	"fmt"
	"net"
	"net/http"
)

// Server is where a script asks its worker: k6 has no other way to be told something at work.
type Server struct {
	listener net.Listener
	server   *http.Server
}

// Serve answers on a port of the loopback; failed gets why it does not any more.
func Serve(routes http.Handler, failed chan<- error) (*Server, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("server for the script: %w", err)
	}
	s := &Server{listener: listener, server: &http.Server{Handler: routes}}
	go func() {
		if err := s.server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			failed <- fmt.Errorf("server for the script: %w", err)
		}
	}()
	return s, nil
}

// URL is its address, without a path.
func (s *Server) URL() string {
	return "http://" + s.listener.Addr().String()
}

// Close ends it, and connections that wait for an answer.
func (s *Server) Close() {
	_ = s.server.Close()
}
