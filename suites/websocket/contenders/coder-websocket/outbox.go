package main

import "sync"

// Outbox is what is still to be written to one connection. Go's channels have a bound, at which
// one waits or drops; a board must do neither because of one slow member, so this queue has none.
type Outbox struct {
	mutex  sync.Mutex
	filled sync.Cond
	texts  [][]byte
	closed bool
}

// NewOutbox is an empty one.
func NewOutbox() *Outbox {
	o := &Outbox{}
	o.filled.L = &o.mutex
	return o
}

// Put adds a text, unless the connection has gone.
func (o *Outbox) Put(text []byte) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.closed {
		return
	}
	o.texts = append(o.texts, text)
	if len(o.texts) == 1 {
		o.filled.Signal()
	}
}

// Take waits for texts and hands over all that have come; false once the outbox is closed. The
// slice it was given is filled next: a writer brings back the one that it has worked through.
func (o *Outbox) Take(used [][]byte) ([][]byte, bool) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	for len(o.texts) == 0 && !o.closed {
		o.filled.Wait()
	}
	texts := o.texts
	o.texts = used[:0]
	return texts, !o.closed
}

// Close ends the outbox; what is left in it is not written any more.
func (o *Outbox) Close() {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.closed = true
	o.filled.Signal()
}
