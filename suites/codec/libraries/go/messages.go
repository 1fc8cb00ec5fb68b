package codec

import "bytes"

// Messages is a shape that the library takes as a message of its own. Every call of make gives a
// codec with messages and buffers of its own, where it keeps any.
func Messages[N, M any](make func() MessageCodec[N, M]) Shape[N] {
	return messageShape[N, M]{make}
}

type messageShape[N, M any] struct {
	make func() MessageCodec[N, M]
}

func (s messageShape[N, M]) open(pool Pool[N], fold func(*N) uint32) track {
	return &messageTrack[N, M]{pool: pool.Values, make: s.make, codec: s.make(), fold: fold}
}

type messageTrack[N, M any] struct {
	pool  []N
	make  func() MessageCodec[N, M]
	codec MessageCodec[N, M]
	fold  func(*N) uint32
}

func (t *messageTrack[N, M]) size() int {
	return len(t.pool)
}

func (t *messageTrack[N, M]) encode(instance int) ([]byte, error) {
	encoded, err := t.codec.Encode(t.codec.ToMessage(&t.pool[instance]))
	return bytes.Clone(encoded), err
}

func (t *messageTrack[N, M]) decode(encoded []byte) (func() any, error) {
	message, err := t.codec.Decode(encoded)
	return func() any { return t.codec.FromMessage(message) }, err
}

func (t *messageTrack[N, M]) loop(operation string) (loop, error) {
	switch operation {
	case toMessage:
		return toMessages(t.pool, t.codec.ToMessage, t.codec.Fold), nil
	case encode:
		return encodeMessages(t.messages(), t.codec.Encode), nil
	case decode:
		encodings, err := encodeAll(t)
		return decodeMessages(encodings, t.codec.Decode, t.codec.Fold), err
	case fromMessage:
		return fromMessages(t.messages(), t.codec.FromMessage, t.fold), nil
	case roundTrip:
		return roundTripMessages(t.pool, t.codec, t.fold), nil
	case roundTripUnused:
		return roundTripMessagesUnused(t.pool, t.codec), nil
	}
	return nil, nil
}

// messages are those of the pool, each from a codec of its own: one may use its message again.
func (t *messageTrack[N, M]) messages() []*M {
	messages := make([]*M, len(t.pool))
	for i := range messages {
		messages[i] = t.make().ToMessage(&t.pool[i])
	}
	return messages
}

func toMessages[N, M any](pool []N, toMessage func(*N) *M, fold func(*M) uint32) loop {
	return func(rounds int) (uint32, error) {
		var sum uint32
		instance := 0
		for range rounds {
			sum += fold(toMessage(&pool[instance]))
			if instance++; instance == len(pool) {
				instance = 0
			}
		}
		return sum, nil
	}
}

func encodeMessages[M any](messages []*M, encode func(*M) ([]byte, error)) loop {
	return func(rounds int) (uint32, error) {
		var sum uint32
		instance := 0
		for range rounds {
			encoded, err := encode(messages[instance])
			if err != nil {
				return 0, err
			}
			sum += FoldBytes(encoded)
			if instance++; instance == len(messages) {
				instance = 0
			}
		}
		return sum, nil
	}
}

func decodeMessages[M any](encodings [][]byte, decode func([]byte) (*M, error), fold func(*M) uint32) loop {
	return func(rounds int) (uint32, error) {
		var sum uint32
		instance := 0
		for range rounds {
			message, err := decode(encodings[instance])
			if err != nil {
				return 0, err
			}
			sum += fold(message)
			if instance++; instance == len(encodings) {
				instance = 0
			}
		}
		return sum, nil
	}
}

func fromMessages[N, M any](messages []*M, fromMessage func(*M) N, fold func(*N) uint32) loop {
	var value N
	return func(rounds int) (uint32, error) {
		var sum uint32
		instance := 0
		for range rounds {
			value = fromMessage(messages[instance])
			sum += fold(&value)
			if instance++; instance == len(messages) {
				instance = 0
			}
		}
		return sum, nil
	}
}

func roundTripMessages[N, M any](pool []N, codec MessageCodec[N, M], fold func(*N) uint32) loop {
	var value N
	return func(rounds int) (uint32, error) {
		var sum uint32
		instance := 0
		for range rounds {
			encoded, err := codec.Encode(codec.ToMessage(&pool[instance]))
			if err != nil {
				return 0, err
			}
			message, err := codec.Decode(encoded)
			if err != nil {
				return 0, err
			}
			value = codec.FromMessage(message)
			sum += fold(&value)
			if instance++; instance == len(pool) {
				instance = 0
			}
		}
		return sum, nil
	}
}

func roundTripMessagesUnused[N, M any](pool []N, codec MessageCodec[N, M]) loop {
	return func(rounds int) (uint32, error) {
		instance := 0
		for range rounds {
			encoded, err := codec.Encode(codec.ToMessage(&pool[instance]))
			if err != nil {
				return 0, err
			}
			message, err := codec.Decode(encoded)
			if err != nil {
				return 0, err
			}
			codec.FromMessage(message)
			if instance++; instance == len(pool) {
				instance = 0
			}
		}
		return 0, nil
	}
}
