package main

import (
	"google.golang.org/protobuf/proto"
	"wirelab.dev/codec"
)

// options give the entries of a map an order, without which bytes differ from call to call.
var options = proto.MarshalOptions{Deterministic: true}

// generated is a message that protoc-gen-go made from M.
type generated[M any] interface {
	*M
	proto.Message
	Reset()
}

func shape[N, M any, P generated[M]](
	reuse bool, fill func(*M, *N), from func(*M) N, fold func(*M) uint32,
) codec.Shape[N] {
	return codec.Messages(func() codec.MessageCodec[N, M] {
		var made codec.MessageCodec[N, M]
		if reuse {
			made = kept[N, M, P](fill)
		} else {
			made = fresh[N, M, P](fill)
		}
		made.FromMessage, made.Fold = from, fold
		return made
	})
}

// fresh makes a message and bytes in every call.
func fresh[N, M any, P generated[M]](fill func(*M, *N)) codec.MessageCodec[N, M] {
	return codec.MessageCodec[N, M]{
		ToMessage: func(native *N) *M {
			message := new(M)
			fill(message, native)
			return message
		},
		Encode: func(message *M) ([]byte, error) {
			return options.Marshal(P(message))
		},
		Decode: func(encoded []byte) (*M, error) {
			message := new(M)
			err := proto.Unmarshal(encoded, P(message))
			return message, err
		},
	}
}

// kept fills the same messages and the same buffer again.
func kept[N, M any, P generated[M]](fill func(*M, *N)) codec.MessageCodec[N, M] {
	sent, received := new(M), new(M)
	var buffer []byte
	return codec.MessageCodec[N, M]{
		ToMessage: func(native *N) *M {
			P(sent).Reset()
			fill(sent, native)
			return sent
		},
		Encode: func(message *M) (encoded []byte, err error) {
			if encoded, err = options.MarshalAppend(buffer[:0], P(message)); err == nil {
				buffer = encoded
			}
			return encoded, err
		},
		Decode: func(encoded []byte) (*M, error) {
			err := proto.Unmarshal(encoded, P(received)) // resets it first
			return received, err
		},
	}
}
