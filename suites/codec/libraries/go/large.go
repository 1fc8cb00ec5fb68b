package codec

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"wirelab.dev/sdk"
)

const (
	toBytes   = "to_bytes"
	fromBytes = "from_bytes"
	once      = "once"
)

// directions are those of a large message, at the ticks of their answers.
var directions = []string{toBytes, fromBytes}

const (
	megabyte      = 1_000_000
	recordBytes   = 20
	distinct      = 1000 // records that differ
	blobModulus   = 251
	blobForm      = "blob"
	wholeForm     = "whole"
	streamForm    = "stream"
	formSeparator = "-"
)

// Large is what a library offers for large messages. Many records at once are the shape Telemetry.
type Large struct {
	Blob NativeCodec[[]byte]
	// Writer gives what writes a *Point to a file, one after the other.
	Writer func(io.Writer) func(any) error
	// Reader gives what reads a *Point from a file, one after the other, until io.EOF.
	Reader func(io.Reader) func(any) error
}

// LargeOf is that of a library with an encoder and a decoder of files.
func LargeOf[E interface{ Encode(any) error }, D interface{ Decode(any) error }](
	blob NativeCodec[[]byte], encoder func(io.Writer) E, decoder func(io.Reader) D,
) *Large {
	return &Large{
		Blob:   blob,
		Writer: func(file io.Writer) func(any) error { return encoder(file).Encode },
		Reader: func(file io.Reader) func(any) error { return decoder(file).Decode },
	}
}

// task is a direction of a step, ready to be done again and again: it gives the fold of what came
// out, and says of it what the answer needs.
type task func(told map[string]any) (uint32, error)

// largeStep is one form and size.
type largeStep struct {
	contender Contender
	suite     string
	step      string
}

// answer tells what came out in either direction, and how much memory it took.
func (s *largeStep) answer(answers answerFile) error {
	for tick, direction := range directions {
		line := answerLine{Phase: sdk.Measure, Operation: once, Step: s.step, Tick: tick}
		line.StartNS = sdk.Now()
		told, err := sdk.Caught(func() (map[string]any, error) { return s.told(direction) })
		line.EndNS = sdk.Now()
		if err != nil {
			line.Error = sdk.FailureOf(err)
		} else {
			line.Answer = told
		}
		if err := answers.Add(line); err != nil {
			return err
		}
	}
	return nil
}

func (s *largeStep) told(direction string) (map[string]any, error) {
	run, err := s.task(direction)
	if err != nil {
		return nil, err
	}
	told := map[string]any{}
	used, err := usedBy(func() error {
		_, err := run(told)
		return err
	})
	if used != nil {
		told["before_bytes"], told["peak_bytes"] = used.before, used.peak
	}
	return told, err
}

// loop repeats a direction; an iteration is the whole of the data.
func (s *largeStep) loop(direction string) (*sdk.Loop, error) {
	run, err := s.task(direction)
	if err != nil {
		return nil, err
	}
	return &sdk.Loop{Inputs: 1, Run: func(iterations int) (sum uint32, err error) {
		told := map[string]any{}
		for range iterations {
			fold, err := run(told)
			if err != nil {
				return 0, err
			}
			sum += fold
		}
		return sum, nil
	}}, nil
}

func (s *largeStep) task(direction string) (task, error) {
	form, megabytes, _ := strings.Cut(s.step, formSeparator)
	size, err := strconv.Atoi(megabytes)
	if err != nil {
		return nil, fmt.Errorf("%s is no step of large messages: %w", s.step, err)
	}
	size *= megabyte
	pool, err := readPool[Telemetry](s.suite, "telemetry")
	if err != nil {
		return nil, err
	}
	points := pool.Values[0].Points
	switch form {
	case blobForm:
		blob := s.contender.Large.Blob
		return between(direction, blobOf(size), blob.Encode, blob.Decode, foldBlob)
	case wholeForm:
		shape, is := s.contender.Telemetry.(fullCodec[Telemetry])
		if !is {
			return nil, fmt.Errorf("%T encodes no whole values, which this step needs", s.contender.Telemetry)
		}
		encode, decode := shape.both()
		records := Telemetry{Points: make([]Point, 0, size/recordBytes)}
		for len(records.Points) < size/recordBytes {
			records.Points = append(records.Points, points...)
		}
		return between(direction, records, encode, decode, FoldTelemetry)
	case streamForm:
		return stream(direction, s.contender.Large, points, size/recordBytes/distinct)
	}
	return nil, fmt.Errorf("no form of large messages is called %q", form)
}

// fullCodec is a shape whose values go over to bytes and back with everything between.
type fullCodec[N any] interface {
	both() (encode func(*N) ([]byte, error), decode func([]byte) (N, error))
}

func (s nativeShape[N]) both() (func(*N) ([]byte, error), func([]byte) (N, error)) {
	made := s.make()
	return made.Encode, made.Decode
}

func (s messageShape[N, M]) both() (func(*N) ([]byte, error), func([]byte) (N, error)) {
	made := s.make()
	encode := func(native *N) ([]byte, error) {
		return made.Encode(made.ToMessage(native))
	}
	decode := func(encoded []byte) (native N, err error) {
		message, err := made.Decode(encoded)
		if err == nil {
			native = made.FromMessage(message)
		}
		return native, err
	}
	return encode, decode
}

// between goes from a value to bytes, or back.
func between[N any](
	direction string, value N, encode func(*N) ([]byte, error), decode func([]byte) (N, error),
	fold func(*N) uint32,
) (task, error) {
	if direction == toBytes {
		return func(told map[string]any) (uint32, error) {
			encoded, err := encode(&value)
			if err != nil {
				return 0, err
			}
			size := len(encoded)
			told["size"], told["first"] = size, encoded[0]
			told["middle"], told["last"] = encoded[size/2], encoded[size-1]
			return FoldBytes(encoded), nil
		}, nil
	}
	encoded, err := encode(&value)
	return func(told map[string]any) (uint32, error) {
		decoded, err := decode(encoded)
		if err != nil {
			return 0, err
		}
		sum := fold(&decoded)
		told["fold"] = sum
		return sum, nil
	}, err
}

func blobOf(size int) []byte {
	blob := make([]byte, size)
	for k := range blob {
		blob[k] = byte(k % blobModulus)
	}
	return blob
}

func foldBlob(blob *[]byte) uint32 { return FoldBytes(*blob) }
