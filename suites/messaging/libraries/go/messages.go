package messaging

import (
	"bytes"
	"crypto/sha512"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
	"sync/atomic"

	"wirelab.dev/sdk"
)

// Header is the least that a message has, in bytes.
const Header = 32

const (
	magic    = 0x314D4C57
	poolSize = 1 << 16
	sentAt   = 16
	dueAt    = 24
	// Bytes that a payload begins with, and that no other has.
	wordSize = 8
	// Users of whom a digest is kept, each in a place of its own where there are no more.
	keptUsers = 1024
)

// Messages are those of a trial: their payload follows from its key and its seed. For any number of
// goroutines.
type Messages struct {
	// The key, and the seed after it.
	root []byte
	// The pool twice, so that a slice of up to its size never ends too early.
	pool []byte
	kept [keptUsers]atomic.Pointer[words]
}

// words are those of eight messages in a row.
type words struct {
	user  uint32
	block uint64
	of    [sha512.Size]byte
}

// secret takes the key of the trial from the descriptor that this process was handed; outside of a
// trial there is none.
func secret() ([]byte, error) {
	number, given := os.LookupEnv("WIRELAB_SECRET")
	if !given {
		return nil, nil
	}
	return os.ReadFile("/proc/self/fd/" + number)
}

// NewMessages makes the pool.
func NewMessages(key []byte, seed uint64) *Messages {
	m := &Messages{root: binary.LittleEndian.AppendUint64(bytes.Clone(key), seed)}
	for number := range uint32(poolSize / sha512.Size) {
		digest := m.digest(binary.LittleEndian.AppendUint32(nil, number))
		m.pool = append(m.pool, digest[:]...)
	}
	m.pool = append(m.pool, m.pool...)
	return m
}

func (m *Messages) digest(of []byte) [sha512.Size]byte {
	return sha512.Sum512(append(bytes.Clone(m.root), of...))
}

// word is what a payload begins with.
func (m *Messages) word(user uint32, sequence uint64) []byte {
	place, block := &m.kept[user%keptUsers], sequence/wordSize
	known := place.Load()
	if known == nil || known.user != user || known.block != block {
		of := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint32(nil, user), block)
		known = &words{user, block, m.digest(of)}
		place.Store(known)
	}
	at := sequence % wordSize * wordSize
	return known.of[at : at+wordSize]
}

// head is what a message says of itself; times are CLOCK_MONOTONIC ns.
type head struct {
	user     uint32
	sequence uint64
	sentNS   int64
	// Time at which a server or responder of ours answered an echo, or a broadcast was due.
	servedNS int64
}

// headOf reads a message; false for what is none of ours.
func headOf(message []byte) (head, bool) {
	if len(message) < Header || binary.LittleEndian.Uint32(message) != magic {
		return head{}, false
	}
	return head{
		user:     binary.LittleEndian.Uint32(message[4:]),
		sequence: binary.LittleEndian.Uint64(message[8:]),
		sentNS:   int64(binary.LittleEndian.Uint64(message[sentAt:])),
		servedNS: int64(binary.LittleEndian.Uint64(message[dueAt:])),
	}, true
}

// compose makes a message of size bytes, at least [Header], without its times.
func (m *Messages) compose(user uint32, sequence uint64, size int64) []byte {
	message := make([]byte, Header, max(size, Header))
	binary.LittleEndian.PutUint32(message, magic)
	binary.LittleEndian.PutUint32(message[4:], user)
	binary.LittleEndian.PutUint64(message[8:], sequence)
	word := m.word(user, sequence)
	start := start(word)
	for left := int(size) - Header; left > 0; {
		part := min(left, poolSize)
		message = append(message, m.pool[start:start+part]...)
		left -= part
	}
	copy(message[Header:], word)
	return message
}

// isIntact says whether a message is the one that a user sent as sequence, each byte of it.
func (m *Messages) isIntact(message []byte, user uint32, sequence uint64, size int64) bool {
	said, ok := headOf(message)
	if !ok || int64(len(message)) != max(size, Header) || said.user != user || said.sequence != sequence {
		return false
	}
	word, payload := m.word(user, sequence), message[Header:]
	begin := min(len(payload), wordSize)
	if !bytes.Equal(payload[:begin], word[:begin]) {
		return false
	}
	for start := start(word); len(payload) > 0; begin = 0 {
		part := min(len(payload), poolSize)
		if !bytes.Equal(payload[begin:part], m.pool[start+begin:start+part]) {
			return false
		}
		payload = payload[part:]
	}
	return true
}

// start is where in the pool a message's payload begins.
func start(word []byte) int {
	return int(binary.LittleEndian.Uint16(word))
}

// stamp writes when a message is sent, and of a broadcast when it was due.
func stamp(message []byte, sentNS, dueNS int64) {
	binary.LittleEndian.PutUint64(message[sentAt:], uint64(sentNS))
	binary.LittleEndian.PutUint64(message[dueAt:], uint64(dueNS))
}

// StampServed writes when a server of ours answers; false for what is too short to be a message.
func StampServed(message []byte) bool {
	if len(message) < Header {
		return false
	}
	binary.LittleEndian.PutUint64(message[dueAt:], uint64(sdk.Now()))
	return true
}

// answer is what the answers file says of an echo.
type answer struct {
	User     uint32 `json:"user"`
	Sequence uint64 `json:"sequence"`
	Size     int    `json:"size"`
	CRC32    string `json:"crc32"`
	ServedNS int64  `json:"served_ns"`
}

func answerOf(message []byte) answer {
	said, _ := headOf(message)
	sum := crc32.ChecksumIEEE(message[:sentAt])
	sum = crc32.Update(sum, crc32.IEEETable, make([]byte, Header-sentAt))
	sum = crc32.Update(sum, crc32.IEEETable, message[Header:])
	return answer{said.user, said.sequence, len(message), fmt.Sprintf("%08x", sum), said.servedNS}
}

// Answers says whether what came is the echo of a message, and not of one that was given up before.
// What has no header is left to the harness, which complains.
func Answers(reply, message []byte) bool {
	return len(reply) < Header || bytes.Equal(reply[:sentAt], message[:sentAt])
}
