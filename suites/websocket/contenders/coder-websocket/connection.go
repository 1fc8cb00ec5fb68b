package main

import (
	"context"
	"encoding/json"
	"unicode/utf8"

	"github.com/coder/websocket"
	"wirelab.dev/whiteboard"
)

// connection is one user: a goroutine that reads, and one that writes.
type connection struct {
	socket *websocket.Conn
	outbox *Outbox
	board  *Board
}

func newConnection(socket *websocket.Conn) *connection {
	return &connection{socket: socket, outbox: NewOutbox()}
}

// serve obeys messages until the connection ends.
func (c *connection) serve(boards *Boards) {
	go c.write()
	defer c.socket.CloseNow()
	defer c.outbox.Close()
	defer c.leave()
	for {
		kind, text, err := c.socket.Read(context.Background())
		if err != nil {
			return
		}
		// The library leaves it to its user whether text is UTF-8, and this text goes to others.
		if kind == websocket.MessageText && utf8.Valid(text) {
			c.obey(text, boards)
		}
	}
}

// obey does what a message asks for; one that cannot be understood is ignored.
func (c *connection) obey(text []byte, boards *Boards) {
	var head whiteboard.Heading
	if json.Unmarshal(text, &head) != nil {
		return
	}
	switch head.Type {
	case "join":
		c.join(head, boards)
	case "draw":
		if board, ok := boards.Find(head.Board); ok {
			board.Broadcast(text)
		}
	}
}

func (c *connection) join(head whiteboard.Heading, boards *Boards) {
	if head.Board == "" {
		return
	}
	c.leave()
	c.board = boards.Board(head.Board)
	c.board.Add(c.outbox)
	if text, err := head.Joined(); err == nil {
		c.outbox.Put(text)
	}
}

func (c *connection) leave() {
	if c.board != nil {
		c.board.Remove(c.outbox)
		c.board = nil
	}
}

// write sends what is queued, a message at a time.
func (c *connection) write() {
	var texts [][]byte
	open := true
	for open {
		if texts, open = c.outbox.Take(texts); !open {
			return
		}
		for _, text := range texts {
			if c.socket.Write(context.Background(), websocket.MessageText, text) != nil {
				return // the reading end finds out as well
			}
		}
		clear(texts) // texts that were written must not stay in memory
	}
}
