package main

import (
	"wirelab.dev/codec"
	"wirelab.dev/codec/go-cgd-buffer/cgd"
)

func encodeT1(n *codec.T1) ([]byte, error) {
	out := cgd.NewBuffer(sizeT1)
	out.AppendInt8(n.C)
	out.AppendUint8(n.UC)
	out.AppendInt16(n.I16)
	out.AppendUint16(n.U16)
	out.AppendInt32(n.I32)
	out.AppendUint32(n.U32)
	out.AppendInt64(n.I64)
	out.AppendUint64(n.U64)
	out.AppendFloat32(n.F)
	out.AppendFloat64(n.D)
	return out.Bytes()
}

func decodeT1(encoded []byte) (n codec.T1, err error) {
	in := cgd.NewReader(encoded)
	n.C = in.ExtractInt8()
	n.UC = in.ExtractUint8()
	n.I16 = in.ExtractInt16()
	n.U16 = in.ExtractUint16()
	n.I32 = in.ExtractInt32()
	n.U32 = in.ExtractUint32()
	n.I64 = in.ExtractInt64()
	n.U64 = in.ExtractUint64()
	n.F = in.ExtractFloat32()
	n.D = in.ExtractFloat64()
	return n, in.End()
}

func encodeT2(n *codec.T2) ([]byte, error) {
	out := cgd.NewBuffer(roomStrings)
	out.AppendString(n.S1)
	out.AppendString(n.S2)
	out.AppendString(n.S3)
	out.AppendString(n.S4)
	out.AppendString(n.S5)
	out.AppendString(n.S6)
	out.AppendString(n.S7)
	out.AppendString(n.S8)
	return out.Bytes()
}

func decodeT2(encoded []byte) (n codec.T2, err error) {
	in := cgd.NewReader(encoded)
	n.S1 = in.ExtractString()
	n.S2 = in.ExtractString()
	n.S3 = in.ExtractString()
	n.S4 = in.ExtractString()
	n.S5 = in.ExtractString()
	n.S6 = in.ExtractString()
	n.S7 = in.ExtractString()
	n.S8 = in.ExtractString()
	return n, in.End()
}
