package sdk

import (
	"bufio"
	"encoding/binary"
	"errors"
	"os"
	"sync"
)

const recordSize = 32

// keptBytes are written in one call.
const keptBytes = 4096 * recordSize

// Recorder writes the sample file, for any number of goroutines: none waits for the disk but the one
// that has filled the buffer.
type Recorder struct {
	mutex   sync.Mutex // of what is kept
	kept    []byte
	records int64

	writing sync.Mutex // of the file; taken before the other
	file    *os.File
	spare   []byte
	failure error
}

// Sample is one timed operation; times are nanoseconds of CLOCK_MONOTONIC.
type Sample struct {
	IntendedNS int64
	StartNS    int64
	EndNS      int64
	Bytes      uint32
	Operation  uint8
	Status     uint8
	Lane       uint16
}

func newRecorder(path string) (*Recorder, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	header := make([]byte, recordSize)
	copy(header, "WLSAMPLE")
	binary.LittleEndian.PutUint16(header[8:], 1)
	binary.LittleEndian.PutUint16(header[10:], recordSize)
	binary.LittleEndian.PutUint32(header[12:], clockMonotonic)
	if _, err := file.Write(header); err != nil {
		return nil, err
	}
	return &Recorder{file: file, kept: make([]byte, 0, keptBytes), spare: make([]byte, 0, keptBytes)}, nil
}

// Record keeps one operation. What went wrong with the file is said at the end, by the worker.
func (r *Recorder) Record(s Sample) {
	// While somebody writes, what is recorded waits in memory.
	if r.keep(s) >= keptBytes && r.writing.TryLock() {
		defer r.writing.Unlock()
		_, _ = r.write()
	}
}

// keep returns how many bytes wait to be written.
func (r *Recorder) keep(s Sample) int {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	kept := binary.LittleEndian.AppendUint64(r.kept, uint64(s.IntendedNS))
	kept = binary.LittleEndian.AppendUint64(kept, uint64(s.StartNS))
	kept = binary.LittleEndian.AppendUint64(kept, uint64(s.EndNS))
	kept = binary.LittleEndian.AppendUint32(kept, s.Bytes)
	kept = append(kept, s.Operation, s.Status)
	r.kept = binary.LittleEndian.AppendUint16(kept, s.Lane)
	r.records++
	return len(r.kept)
}

// write hands what is kept to the file, which the caller has, and says how many samples that has then.
func (r *Recorder) write() (int64, error) {
	r.mutex.Lock()
	kept, records := r.kept, r.records
	r.kept = r.spare[:0]
	r.mutex.Unlock()
	_, err := r.file.Write(kept)
	r.spare = kept
	if r.failure == nil {
		r.failure = err
	}
	return records, r.failure
}

// Count is the number of samples recorded so far.
func (r *Recorder) Count() int64 {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.records
}

// publish writes what was recorded to the file, and says how many samples that has then.
func (r *Recorder) publish() (int64, error) {
	r.writing.Lock()
	defer r.writing.Unlock()
	return r.write()
}

// close completes the file and says how many samples it has. What a lane that was given up records
// afterwards is in neither.
func (r *Recorder) close() (int64, error) {
	r.writing.Lock()
	defer r.writing.Unlock()
	records, err := r.write()
	return records, errors.Join(err, r.file.Close())
}

func closed(buffer *bufio.Writer, file *os.File) error {
	if err := buffer.Flush(); err != nil {
		_ = file.Close()
		return err
	}
	return file.Close()
}
