package main

import (
	"sync"

	"github.com/lxzan/gws"
)

// Boards knows who is on which board. Boards are few and stay: one that has become empty keeps
// its place, as in a whiteboard service that expects its users back.
type Boards struct {
	mutex  sync.RWMutex
	boards map[string]*Board
}

// NewBoards makes a service without boards.
func NewBoards() *Boards {
	return &Boards{boards: make(map[string]*Board)}
}

// Board is the board of a name; the first who asks makes it.
func (b *Boards) Board(name string) *Board {
	if board, ok := b.Find(name); ok {
		return board
	}
	b.mutex.Lock()
	defer b.mutex.Unlock()
	board, ok := b.boards[name]
	if !ok {
		board = &Board{members: make(map[*gws.Conn]struct{})}
		b.boards[name] = board
	}
	return board
}

// Find is the board of a name, if anybody ever joined it.
func (b *Boards) Find(name string) (*Board, bool) {
	b.mutex.RLock()
	defer b.mutex.RUnlock()
	board, ok := b.boards[name]
	return board, ok
}

// Board is a set of connections, with a lock of its own: boards do not wait for each other.
type Board struct {
	mutex   sync.RWMutex
	members map[*gws.Conn]struct{}
}

// Add makes a connection a member.
func (b *Board) Add(member *gws.Conn) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.members[member] = struct{}{}
}

// Remove ends a membership.
func (b *Board) Remove(member *gws.Conn) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	delete(b.members, member)
}

// Broadcast queues a text for every member. The frame is made once; each connection's queue
// writes it when that connection can take it, so the lock is held for queueing alone and a slow
// member holds up nobody.
func (b *Board) Broadcast(text []byte) error {
	broadcast := gws.NewBroadcaster(gws.OpcodeText, text)
	defer broadcast.Close()
	b.mutex.RLock()
	defer b.mutex.RUnlock()
	for member := range b.members {
		if err := broadcast.Broadcast(member); err != nil {
			return err
		}
	}
	return nil
}
