package codec

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// chunk is what goes to a file at once, and comes from one.
const chunk = 64 << 10

// stream writes the records so many times over to a file, or reads them from one.
func stream(direction string, large *Large, records []Point, times int) (task, error) {
	if direction == toBytes {
		return func(told map[string]any) (uint32, error) {
			return writeRecords(large, records, times, told)
		}, nil
	}
	var block bytes.Buffer
	write := large.Writer(&block)
	for i := range records {
		if err := write(&records[i]); err != nil {
			return nil, err
		}
	}
	return func(told map[string]any) (uint32, error) {
		source := &repeatedBlock{block: block.Bytes(), times: times}
		return readRecords(large.Reader(bufio.NewReaderSize(source, chunk)), told)
	}, nil
}

func writeRecords(
	large *Large, records []Point, times int, told map[string]any,
) (uint32, error) {
	var file endsOfFile
	buffered := bufio.NewWriterSize(&file, chunk)
	write := large.Writer(buffered)
	for range times {
		for i := range records {
			if err := write(&records[i]); err != nil {
				return 0, err
			}
		}
	}
	err := buffered.Flush()
	told["size"], told["first"], told["last"] = file.size, file.first, file.last
	return 7*uint32(file.size) + uint32(file.first) + 5*uint32(file.last), err
}

func readRecords(read func(any) error, told map[string]any) (sum uint32, err error) {
	var point Point
	for {
		point = Point{}
		if err = read(&point); err != nil {
			break
		}
		sum += 101 + 3*uint32(point.Time) + 5*FoldFloat(point.Value) + 7*uint32(point.Quality)
	}
	if !errors.Is(err, io.EOF) {
		return 0, err
	}
	told["fold"] = sum
	return sum, nil
}

// endsOfFile is a file that keeps nothing but its length, its first byte and its last one.
type endsOfFile struct {
	size        int
	first, last byte
}

func (e *endsOfFile) Write(part []byte) (int, error) {
	if len(part) > 0 {
		if e.size == 0 {
			e.first = part[0]
		}
		e.last = part[len(part)-1]
		e.size += len(part)
	}
	return len(part), nil
}

// repeatedBlock is a file with the same bytes so many times, which takes the memory of one.
type repeatedBlock struct {
	block []byte
	times int
	at    int
}

func (r *repeatedBlock) Read(room []byte) (int, error) {
	if r.times == 0 {
		return 0, io.EOF
	}
	n := copy(room, r.block[r.at:])
	if r.at += n; r.at == len(r.block) {
		r.at = 0
		r.times--
	}
	return n, nil
}
