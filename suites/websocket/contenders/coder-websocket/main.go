// coder-websocket is a whiteboard server on github.com/coder/websocket.
package main

import (
	"net/http"
	"sync"
	"time"

	"github.com/coder/websocket"
	"wirelab.dev/sdk"
	"wirelab.dev/whiteboard"
)

const (
	longest = 64 * 1024
	// Connections that do not answer their close frame are left to the end of the process.
	farewell = time.Second
)

func main() {
	service := &service{boards: NewBoards(), open: make(map[*websocket.Conn]struct{})}
	whiteboard.Main(sdk.Module("coder/websocket", "github.com/coder/websocket"), service.accept, service.close)
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
