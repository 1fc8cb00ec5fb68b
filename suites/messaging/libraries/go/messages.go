package messaging

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// Header is the least that a message has, in bytes.
const Header = 32

const (
	magic    = 0x314D4C57
	poolSize = 1 << 16
	sentAt   = 16
	dueAt    = 24
)

// Messages are those of a trial: their payload follows from its seed. For any number of goroutines.
type Messages struct {
	// The pool twice, so that a slice of up to its size never ends too early.
	pool []byte
}

// NewMessages makes the pool.
func NewMessages(seed uint64) *Messages {
	pool := make([]byte, 2*poolSize)
	for i := range pool {
		pool[i] = byte((uint32(i%poolSize+1)*0x9E3779B1 + uint32(seed*40503)) >> 16)
	}
	return &Messages{pool}
}

// head is what a message says of itself; times are CLOCK_MONOTONIC ns.
type head struct {
	user     uint32
	sequence uint64
	sentNS   int64
	// Of an echo, when a server or responder of ours answered; of a broadcast, when it was due.
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
	start := start(user, sequence)
	for left := int(size) - Header; left > 0; {
		part := min(left, poolSize)
		message = append(message, m.pool[start:start+part]...)
		left -= part
	}
	return message
}

// isIntact says whether a message is the one that a user sent as sequence, each byte of it.
func (m *Messages) isIntact(message []byte, user uint32, sequence uint64, size int64) bool {
	said, ok := headOf(message)
	if !ok || int64(len(message)) != max(size, Header) || said.user != user || said.sequence != sequence {
		return false
	}
	start := start(user, sequence)
	for payload := message[Header:]; len(payload) > 0; {
		part := min(len(payload), poolSize)
		if !bytes.Equal(payload[:part], m.pool[start:start+part]) {
			return false
		}
		payload = payload[part:]
	}
	return true
}

// start is where in the pool a message's payload begins.
func start(user uint32, sequence uint64) int {
	return int((sequence*97 + uint64(user)*389) % poolSize)
}

// stamp writes when a message is sent, and of a broadcast when it was due.
func stamp(message []byte, sentNS, dueNS int64) {
	binary.LittleEndian.PutUint64(message[sentAt:], uint64(sentNS))
	binary.LittleEndian.PutUint64(message[dueAt:], uint64(dueNS))
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
