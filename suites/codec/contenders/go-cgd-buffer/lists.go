package main

import (
	"slices"

	"wirelab.dev/codec"
	"wirelab.dev/codec/go-cgd-buffer/cgd"
)

func encodeT3(n *codec.T3) ([]byte, error) {
	out := cgd.NewBuffer(sizeCount + sizeInt*len(*n))
	out.AppendInt32s(*n)
	return out.Bytes()
}

func decodeT3(encoded []byte) (codec.T3, error) {
	in := cgd.NewReader(encoded)
	n := in.ExtractInt32s()
	return n, in.End()
}

func encodeT4(n *codec.T4) ([]byte, error) {
	out := cgd.NewBuffer(roomStrings)
	out.AppendStrings(*n)
	return out.Bytes()
}

func decodeT4(encoded []byte) (codec.T4, error) {
	in := cgd.NewReader(encoded)
	n := in.ExtractStrings()
	return n, in.End()
}

// encodeT5 writes the keys in order: a map of Go has a random one.
func encodeT5(n *codec.T5) ([]byte, error) {
	var few [fewKeys]string // on the stack
	keys := few[:0]
	for key := range *n {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	out := cgd.NewBuffer(roomMap)
	out.AppendCount(len(keys))
	for _, key := range keys {
		out.AppendString(key)
		out.AppendInt32s((*n)[key])
	}
	return out.Bytes()
}

func decodeT5(encoded []byte) (codec.T5, error) {
	in := cgd.NewReader(encoded)
	count := in.ExtractCount(cgd.SmallestString + cgd.SmallestList)
	n := make(codec.T5, count)
	for range count {
		key := in.ExtractString()
		n[key] = in.ExtractInt32s()
	}
	return n, in.End()
}
