package main

import "sync"

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
		board = &Board{members: make(map[*Outbox]struct{})}
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

// Board is a set of members, with a lock of its own: boards do not wait for each other.
type Board struct {
	mutex   sync.RWMutex
	members map[*Outbox]struct{}
}

// Add makes somebody a member.
func (b *Board) Add(member *Outbox) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.members[member] = struct{}{}
}

// Remove ends a membership.
func (b *Board) Remove(member *Outbox) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	delete(b.members, member)
}

// Broadcast queues a text, which nobody changes any more, for every member.
func (b *Board) Broadcast(text []byte) {
	b.mutex.RLock()
	defer b.mutex.RUnlock()
	for member := range b.members {
		member.Put(text)
	}
}
