// coder-websocket is a whiteboard server on github.com/coder/websocket.
package main

import (
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/coder/websocket"
	"wirelab.dev/sdk"
)

const (
	library = "github.com/coder/websocket"
	path    = "/board"
	longest = 64 * 1024
	// Connections that do not answer their close frame are left to the end of the process.
	farewell = time.Second
)

func main() {
	sdk.Main(serve)
}

func serve(w *sdk.Worker) error {
	service := &service{boards: NewBoards(), open: make(map[*websocket.Conn]struct{})}
	routes := http.NewServeMux()
	routes.HandleFunc(path, service.accept)
	listener, err := net.Listen("tcp", w.Spec.Listen)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", w.Spec.Listen, err)
	}
	server := &http.Server{Handler: routes}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	if err := w.Ready(sdk.Ready{
		Library:  sdk.Named{Name: "coder/websocket", Version: sdk.ModuleVersion(library)},
		Endpoint: fmt.Sprintf("ws://%s%s", listener.Addr(), path),
		Facts:    map[string]any{"protocol": "json"},
	}); err != nil {
		return err
	}
	select {
	case err := <-failed:
		return fmt.Errorf("serve: %w", err)
	case <-w.Stopped():
		// The listener is the server's: closed by both, one of them may fail.
		err := server.Close()
		service.close()
		return err
	}
}

// service is the whiteboard with its connections.
type service struct {
	boards *Boards

	mutex sync.Mutex
	open  map[*websocket.Conn]struct{}
}

func (s *service) accept(response http.ResponseWriter, request *http.Request) {
	socket, err := websocket.Accept(response, request, &websocket.AcceptOptions{
		CompressionMode: websocket.CompressionDisabled,
	})
	if err != nil {
		return // the library has answered
	}
	socket.SetReadLimit(longest)
	s.remember(socket)
	// A goroutine of its own lets net/http give up what it keeps of the request.
	go func() {
		defer s.forget(socket)
		newConnection(socket).serve(s.boards)
	}()
}

func (s *service) remember(socket *websocket.Conn) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.open[socket] = struct{}{}
}

func (s *service) forget(socket *websocket.Conn) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	delete(s.open, socket)
}

// close ends every connection, each of which waits for its peer to agree.
func (s *service) close() {
	var closing sync.WaitGroup
	s.mutex.Lock()
	for socket := range s.open {
		closing.Add(1)
		go func() {
			defer closing.Done()
			_ = socket.Close(websocket.StatusGoingAway, "")
		}()
	}
	s.mutex.Unlock()
	closed := make(chan struct{})
	go func() {
		closing.Wait()
		close(closed)
	}()
	select {
	case <-closed:
	case <-time.After(farewell):
	}
}
