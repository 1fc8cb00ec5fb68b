package codec

import (
	"bufio"
	"encoding/json"
	"hash"
	"hash/crc32"
	"io"
	"os"
	"sync"
)

// lines writes a file with a JSON object a line. What comes after it was closed is left out.
type lines struct {
	mutex   sync.Mutex
	closed  bool
	file    *os.File
	buffer  *bufio.Writer
	encoder *json.Encoder
	digest  hash.Hash32
	count   int
}

func newLines(path string) (*lines, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	l := &lines{file: file, buffer: bufio.NewWriter(file), digest: crc32.NewIEEE()}
	l.encoder = json.NewEncoder(io.MultiWriter(l.buffer, l.digest))
	return l, nil
}

func (l *lines) write(line any) error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.closed {
		return nil
	}
	l.count++
	return l.encoder.Encode(line)
}

func (l *lines) close() error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.closed = true
	if err := l.buffer.Flush(); err != nil {
		_ = l.file.Close()
		return err
	}
	return l.file.Close()
}
