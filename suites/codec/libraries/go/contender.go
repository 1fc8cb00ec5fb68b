// Package codec is the Go harness of the codec suite: pools, folds, answers and loops. It has no
// codec; a contender brings one for every shape:
//
//	func main() {
//		codec.Main(func(*sdk.Spec) (codec.Contender, error) {
//			return codec.Contender{
//				Library: sdk.Named{Name: "encoding/json", Version: "1.26"},
//				Format:  "json",
//				T1:      codec.Native(shape[codec.T1]),
//				// … and so on …
//			}, nil
//		})
//	}
//
// What the words mean is defined in the README.md of the suite.
package codec

import "wirelab.dev/sdk"

// Contender is a library with its codec of every shape.
type Contender struct {
	Library sdk.Named
	// Format is what it writes; workers with the same one must understand each other.
	Format string
	// Kept says that encodings and messages are used again: each is valid until the next call.
	Kept bool

	T1        Shape[T1]
	T2        Shape[T2]
	T3        Shape[T3]
	T4        Shape[T4]
	T5        Shape[T5]
	Telemetry Shape[Telemetry]
	Chat      Shape[Chat]

	// Versions of the record of the scenario evolution, for who has that capability.
	Versions Versions
	// Large is what the scenario of that name needs, for who has that capability.
	Large *Large
}

// Shape is how a contender writes and reads one shape whose native value is N: [Native],
// [Messages], or [Baseline] which does neither.
type Shape[N any] interface {
	open(pool Pool[N], fold func(*N) uint32, kept bool) pooledShape
}

// NativeCodec takes native values as they are.
type NativeCodec[N any] struct {
	Encode func(*N) ([]byte, error)
	Decode func([]byte) (N, error)
}

// MessageCodec is that of a library with messages of its own. Fold reads a message through its
// accessors.
type MessageCodec[N, M any] struct {
	ToMessage   func(*N) *M
	Encode      func(*M) ([]byte, error)
	Decode      func([]byte) (*M, error)
	FromMessage func(*M) N
	Fold        func(*M) uint32
}

// pooledShape is a shape with its pool, so that what does not run in loops need not know the types.
type pooledShape interface {
	// size is the number of instances.
	size() int
	// encode gives bytes that nothing overwrites.
	encode(instance int) ([]byte, error)
	// decode gives what will say the native value, made only then.
	decode(encoded []byte) (func() any, error)
	// loop has no run for an operation that the contender does not have.
	loop(operation string) (repeated, error)
}

// repeated is an operation with its inputs; it has no audit where nothing comes of one.
type repeated struct {
	run   loop
	audit func() (uint32, error)
}

// loop works on instance after instance and adds up their folds.
type loop = func(iterations int) (uint32, error)

// The operations that are timed.
const (
	toMessage       = "to_message"
	encode          = "encode"
	decode          = "decode"
	fromMessage     = "from_message"
	roundTrip       = "round_trip"
	roundTripUnused = "round_trip_unused"
	copyBytes       = "copy"
	touch           = "touch"
)

// timed has all of them, in the order of the README.
var timed = []string{
	toMessage, encode, decode, fromMessage, roundTrip, roundTripUnused, copyBytes, touch,
}

// open makes the shape with its pool that is called step; its pool is read from the suite's folder.
func (c Contender) open(suite, step string) (pooledShape, error) {
	switch step {
	case "T1":
		return opened(suite, step, c.T1, FoldT1, c.Kept)
	case "T2":
		return opened(suite, step, c.T2, FoldT2, c.Kept)
	case "T3":
		return opened(suite, step, c.T3, FoldT3, c.Kept)
	case "T4":
		return opened(suite, step, c.T4, FoldT4, c.Kept)
	case "T5":
		return opened(suite, step, c.T5, FoldT5, c.Kept)
	case "telemetry":
		return opened(suite, step, c.Telemetry, FoldTelemetry, c.Kept)
	case "chat":
		return opened(suite, step, c.Chat, FoldChat, c.Kept)
	}
	return nil, unknownStep(step)
}

func opened[N any](
	suite, step string, shape Shape[N], fold func(*N) uint32, kept bool,
) (pooledShape, error) {
	pool, err := readPool[N](suite, step)
	if err != nil {
		return nil, err
	}
	return shape.open(pool, fold, kept), nil
}
