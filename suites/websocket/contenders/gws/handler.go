package main

import (
	"encoding/json"
	"sync"

	"github.com/lxzan/gws"
	"wirelab.dev/whiteboard"
)

const (
	boardKey  = "board"
	goingAway = 1001
)

// Whiteboard answers what gws tells of its connections. gws calls OnMessage for one message of a
// connection after the other, so what a user draws keeps its order.
type Whiteboard struct {
	gws.BuiltinEventHandler
	boards *Boards

	mutex sync.Mutex
	open  map[*gws.Conn]struct{}
}

// NewWhiteboard makes a service that nobody is connected to.
func NewWhiteboard() *Whiteboard {
	return &Whiteboard{boards: NewBoards(), open: make(map[*gws.Conn]struct{})}
}

// OnOpen keeps a connection for the end of the service.
func (w *Whiteboard) OnOpen(socket *gws.Conn) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.open[socket] = struct{}{}
}

// OnClose takes a connection off its board.
func (w *Whiteboard) OnClose(socket *gws.Conn, _ error) {
	w.leave(socket)
	w.mutex.Lock()
	defer w.mutex.Unlock()
	delete(w.open, socket)
}

// OnMessage obeys a message; one that cannot be understood is ignored.
func (w *Whiteboard) OnMessage(socket *gws.Conn, message *gws.Message) {
	// The buffer goes back to gws's pool: everything that is sent was copied into frames by then.
	defer message.Close()
	var head whiteboard.Heading
	if message.Opcode != gws.OpcodeText || json.Unmarshal(message.Bytes(), &head) != nil {
		return
	}
	switch head.Type {
	case "join":
		w.join(socket, head)
	case "draw":
		w.draw(socket, head.Board, message.Bytes())
	}
}

func (w *Whiteboard) join(socket *gws.Conn, head whiteboard.Heading) {
	if head.Board == "" {
		return
	}
	w.leave(socket)
	board := w.boards.Board(head.Board)
	board.Add(socket)
	socket.Session().Store(boardKey, board)
	if text, err := head.Joined(); err == nil {
		socket.WriteAsync(gws.OpcodeText, text, nil)
	}
}

func (w *Whiteboard) draw(socket *gws.Conn, name string, text []byte) {
	board, ok := w.boards.Find(name)
	if !ok {
		return
	}
	if err := board.Broadcast(text); err != nil {
		socket.WriteClose(goingAway, []byte(err.Error()))
	}
}

func (w *Whiteboard) leave(socket *gws.Conn) {
	if board, ok := socket.Session().Load(boardKey); ok {
		board.(*Board).Remove(socket)
	}
}

// Close ends every connection.
func (w *Whiteboard) Close() {
	w.mutex.Lock()
	sockets := make([]*gws.Conn, 0, len(w.open))
	for socket := range w.open {
		sockets = append(sockets, socket)
	}
	w.mutex.Unlock()
	for _, socket := range sockets {
		socket.WriteClose(goingAway, nil)
	}
}
