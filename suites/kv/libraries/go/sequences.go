package kv

import (
	"maps"
	"sync"
)

// writes are sequence numbers of writes.
type writes map[int64]struct{}

// loaded is what no write has replaced yet.
var loaded = writes{0: {}}

// history are the writes of a field that a read may find.
type history struct {
	// ended are those that no other one replaced: it began when they had ended.
	ended writes
	// underWay has by write what had ended before it began. One that failed may have come through:
	// it stays.
	underWay map[int64]writes
	// changed are values that a change has replaced: it had read them, and nobody had written since.
	changed writes
}

// seen is what a read may find in each field: the writes that may be there when it begins, and all
// that begin later.
type seen struct {
	then  [fields]writes
	since int64
}

func (s *seen) mayFind(field int, sequence int64) bool {
	_, there := s.then[field][sequence]
	return there || sequence > s.since
}

// sequences numbers writes in the order in which they begin, and knows by it what a read may find:
// who finds a value that was replaced by a write that had ended before the read began has read a
// stale one.
type sequences struct {
	mutex            sync.Mutex
	histories        map[int64]*[fields]*history
	waiting          map[int64]bool
	last             int64
	inserted, newest int64
}

func newSequences(records int64) *sequences {
	return &sequences{
		histories: make(map[int64]*[fields]*history), waiting: make(map[int64]bool),
		inserted: records, newest: records - 1,
	}
}

// newestRecord is the highest number below which every record is there.
func (s *sequences) newestRecord() int64 {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.newest
}

// beginInsert is the number of a record that is to be inserted.
func (s *sequences) beginInsert() int64 {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.inserted++
	return s.inserted - 1
}

// endInsert hears that a record is there.
func (s *sequences) endInsert(record int64) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.waiting[record] = true
	for s.waiting[s.newest+1] {
		s.newest++
		delete(s.waiting, s.newest)
	}
}

// beginRead is what a read of a record may find that begins now.
func (s *sequences) beginRead(record int64) *seen {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	now := &seen{since: s.last}
	known := s.histories[record]
	for field := range now.then {
		now.then[field] = loaded
		if known == nil || known[field] == nil {
			continue
		}
		then := maps.Clone(known[field].ended)
		for write := range known[field].underWay {
			then[write] = struct{}{}
		}
		now.then[field] = then
	}
	return now
}

// beginWrite gives the sequence number of a write that begins, of fields from one until another.
func (s *sequences) beginWrite(record int64, from, until int) int64 {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	known := s.histories[record]
	if known == nil {
		known = &[fields]*history{}
		s.histories[record] = known
	}
	s.last++
	for field := from; field < until; field++ {
		if known[field] == nil {
			known[field] = &history{
				ended: maps.Clone(loaded), underWay: make(map[int64]writes), changed: make(writes),
			}
		}
		known[field].underWay[s.last] = maps.Clone(known[field].ended)
	}
	return s.last
}

// endWrite hears that a write of these fields was acknowledged.
func (s *sequences) endWrite(record int64, from, until int, sequence int64) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, known := range s.histories[record][from:until] {
		for replaced := range known.underWay[sequence] {
			delete(known.ended, replaced)
		}
		delete(known.underWay, sequence)
		known.ended[sequence] = struct{}{}
	}
}

// change hears that a change replaced what it had read of the fields from one on; false where another
// one had replaced any of it already.
func (s *sequences) change(record int64, from int, before []int64) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	isFirst := true
	for number, sequence := range before {
		known := s.histories[record][from+number]
		if _, replaced := known.changed[sequence]; replaced {
			isFirst = false
		}
		known.changed[sequence] = struct{}{}
	}
	return isFirst
}
