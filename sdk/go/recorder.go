package sdk

import (
	"bufio"
	"encoding/binary"
	"os"
	"sync"
)

const recordSize = 32

// Recorder writes the sample file, for any number of goroutines.
type Recorder struct {
	mutex   sync.Mutex
	file    *os.File
	buffer  *bufio.Writer
	records int64
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
	return &Recorder{file: file, buffer: bufio.NewWriterSize(file, 4096*recordSize)}, nil
}

// Record keeps one operation. What went wrong with the file is said at the end, by the worker.
func (r *Recorder) Record(s Sample) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	record := r.buffer.AvailableBuffer()
	record = binary.LittleEndian.AppendUint64(record, uint64(s.IntendedNS))
	record = binary.LittleEndian.AppendUint64(record, uint64(s.StartNS))
	record = binary.LittleEndian.AppendUint64(record, uint64(s.EndNS))
	record = binary.LittleEndian.AppendUint32(record, s.Bytes)
	record = append(record, s.Operation, s.Status)
	record = binary.LittleEndian.AppendUint16(record, s.Lane)
	// A failed write stays in the buffer and fails the flush.
	_, _ = r.buffer.Write(record)
	r.records++
}

// Count is the number of samples recorded so far.
func (r *Recorder) Count() int64 {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.records
}

// publish writes what was recorded to the file, and says how many samples that has then.
func (r *Recorder) publish() (int64, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.records, r.buffer.Flush()
}

// close completes the file and says how many samples it has. What a lane that was given up records
// afterwards is in neither.
func (r *Recorder) close() (int64, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.records, closed(r.buffer, r.file)
}

func closed(buffer *bufio.Writer, file *os.File) error {
	if err := buffer.Flush(); err != nil {
		_ = file.Close()
		return err
	}
	return file.Close()
}
