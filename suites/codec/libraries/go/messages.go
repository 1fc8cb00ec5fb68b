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

func (s messageShape[N, M]) open(pool Pool[N], fold func(*N) uint32, kept bool) pooledShape {
	return &messagePool[N, M]{
		pool: pool.Values, twins: pool.Twins, wanted: pool.Wanted, wantedTwins: pool.WantedTwins,
		make: s.make, codec: s.make(), fold: fold, kept: kept,
	}
}

type messagePool[N, M any] struct {
	pool, twins         []N
	wanted, wantedTwins []N
	make                func() MessageCodec[N, M]
	codec               MessageCodec[N, M]
	fold                func(*N) uint32
	kept                bool
}

func (t *messagePool[N, M]) size() int {
	return len(t.pool)
}

func (t *messagePool[N, M]) encode(instance int) ([]byte, error) {
	return t.encoded(&t.pool[instance])
}

// encoded is an encoding that nothing overwrites.
func (t *messagePool[N, M]) encoded(value *N) ([]byte, error) {
	encoded, err := t.codec.Encode(t.codec.ToMessage(value))
	return bytes.Clone(encoded), err
}

func (t *messagePool[N, M]) decode(encoded []byte) (func() any, error) {
	message, err := t.codec.Decode(encoded)
	return func() any { return t.codec.FromMessage(message) }, err
}

func (t *messagePool[N, M]) loop(operation string) (repeated, error) {
	switch operation {
	case toMessage:
		return repeated{toMessages(t.pool, t.codec.ToMessage, t.codec.Fold), t.auditToMessage()}, nil
	case encode:
		messages := t.messages()
		return repeated{encodeMessages(messages, t.codec.Encode), t.auditEncode(messages)}, nil
	case decode:
		encodings, err := encodeAll(t.pool, t.encoded)
		if err != nil {
			return repeated{}, err
		}
		audit, err := t.auditDecode(encodings)
		return repeated{decodeMessages(encodings, t.codec.Decode, t.codec.Fold), audit}, err
	case fromMessage:
		messages := t.messages()
		return repeated{fromMessages(messages, t.codec.FromMessage, t.fold), t.auditFromMessage(messages)}, nil
	case roundTrip:
		return repeated{roundTripMessages(t.pool, t.codec, t.fold), t.auditRoundTrip()}, nil
	case roundTripUnused:
		return repeated{run: roundTripMessagesUnused(t.pool, t.codec)}, nil
	}
	return repeated{}, nil
}

// looking is the look at messages.
func (t *messagePool[N, M]) looking(wanted []N) func(**M, int) (uint32, error) {
	return func(message **M, place int) (uint32, error) {
		value := t.codec.FromMessage(*message)
		return t.codec.Fold(*message) + differs(&value, &wanted[place]), nil
	}
}

func (t *messagePool[N, M]) auditToMessage() func() (uint32, error) {
	return audit[N, *M]{
		inputs:  t.pool,
		change:  func() { swap(t.pool, t.twins) },
		produce: func(value *N) (*M, error) { return t.codec.ToMessage(value), nil },
		look:    t.looking(t.wantedTwins),
		kept:    true, // a message may refer to the value that it was made of
	}.run
}

func (t *messagePool[N, M]) auditEncode(messages []*M) func() (uint32, error) {
	return audit[*M, []byte]{
		inputs:  messages,
		produce: func(message **M) ([]byte, error) { return t.codec.Encode(*message) },
		look: func(encoded *[]byte, place int) (uint32, error) {
			message, err := t.codec.Decode(*encoded)
			if err != nil {
				return 0, err
			}
			return t.looking(t.wanted)(&message, place)
		},
		kept:  t.kept,
		spoil: func(encoded *[]byte) { clear(*encoded) },
	}.run
}

func (t *messagePool[N, M]) auditDecode(encodings [][]byte) (func() (uint32, error), error) {
	others, err := encodeAll(t.twins, t.encoded)
	return audit[[]byte, *M]{
		inputs:  encodings,
		change:  func() { swapBytes(encodings, others) },
		produce: func(encoded *[]byte) (*M, error) { return t.codec.Decode(*encoded) },
		look:    t.looking(t.wantedTwins),
		kept:    t.kept,
	}.run, err
}

func (t *messagePool[N, M]) auditFromMessage(messages []*M) func() (uint32, error) {
	return audit[*M, N]{
		inputs:  messages,
		produce: func(message **M) (N, error) { return t.codec.FromMessage(*message), nil },
		look:    looking(t.fold, t.wanted),
		kept:    t.kept,
	}.run
}

func (t *messagePool[N, M]) auditRoundTrip() func() (uint32, error) {
	return audit[N, N]{
		inputs: t.pool,
		change: func() { swap(t.pool, t.twins) },
		produce: func(value *N) (N, error) {
			encoded, err := t.codec.Encode(t.codec.ToMessage(value))
			if err != nil {
				return *value, err
			}
			message, err := t.codec.Decode(encoded)
			if err != nil {
				return *value, err
			}
			return t.codec.FromMessage(message), nil
		},
		look:  looking(t.fold, t.wantedTwins),
		kept:  t.kept,
		spoil: spoil[N],
	}.run
}

// messages are those of the pool, each from a codec of its own: one may use its message again.
func (t *messagePool[N, M]) messages() []*M {
	messages := make([]*M, len(t.pool))
	for i := range messages {
		messages[i] = t.make().ToMessage(&t.pool[i])
	}
	return messages
}

func toMessages[N, M any](pool []N, toMessage func(*N) *M, fold func(*M) uint32) loop {
	return func(iterations int) (uint32, error) {
		var sum uint32
		instance := 0
		for range iterations {
			sum += fold(toMessage(&pool[instance]))
			if instance++; instance == len(pool) {
				instance = 0
			}
		}
		return sum, nil
	}
}

func encodeMessages[M any](messages []*M, encode func(*M) ([]byte, error)) loop {
	return func(iterations int) (uint32, error) {
		var sum uint32
		instance := 0
		for range iterations {
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
	return func(iterations int) (uint32, error) {
		var sum uint32
		instance := 0
		for range iterations {
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
	return func(iterations int) (uint32, error) {
		var sum uint32
		instance := 0
		for range iterations {
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
	return func(iterations int) (uint32, error) {
		var sum uint32
		instance := 0
		for range iterations {
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
	return func(iterations int) (uint32, error) {
		instance := 0
		for range iterations {
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
