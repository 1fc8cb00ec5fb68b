package main

import (
	"wirelab.dev/codec"
	"wirelab.dev/codec/go-protobuf/shapes"
)

// The shapes of the study. Lists of integers and strings have the same type in a message and in
// a native value, so that nobody would copy them from one into the other.

func fillT1(m *shapes.T1, n *codec.T1) {
	m.C = int32(n.C)
	m.Uc = uint32(n.UC)
	m.I16 = int32(n.I16)
	m.U16 = uint32(n.U16)
	m.I32 = n.I32
	m.U32 = n.U32
	m.I64 = n.I64
	m.U64 = n.U64
	m.F = n.F
	m.D = n.D
}

func fromT1(m *shapes.T1) codec.T1 {
	return codec.T1{
		C:   int8(m.GetC()),
		UC:  uint8(m.GetUc()),
		I16: int16(m.GetI16()),
		U16: uint16(m.GetU16()),
		I32: m.GetI32(),
		U32: m.GetU32(),
		I64: m.GetI64(),
		U64: m.GetU64(),
		F:   m.GetF(),
		D:   m.GetD(),
	}
}

func foldT1(m *shapes.T1) uint32 {
	return uint32(m.GetC()) + 3*m.GetUc() + 5*uint32(m.GetI16()) + 7*m.GetU16() +
		9*uint32(m.GetI32()) + 11*m.GetU32() + 13*uint32(m.GetI64()) + 15*uint32(m.GetU64()) +
		17*codec.FoldFloat(float64(m.GetF())) + 19*codec.FoldFloat(m.GetD())
}

func fillT2(m *shapes.T2, n *codec.T2) {
	m.S1, m.S2, m.S3, m.S4 = n.S1, n.S2, n.S3, n.S4
	m.S5, m.S6, m.S7, m.S8 = n.S5, n.S6, n.S7, n.S8
}

func fromT2(m *shapes.T2) codec.T2 {
	return codec.T2{
		S1: m.GetS1(), S2: m.GetS2(), S3: m.GetS3(), S4: m.GetS4(),
		S5: m.GetS5(), S6: m.GetS6(), S7: m.GetS7(), S8: m.GetS8(),
	}
}

func foldT2(m *shapes.T2) uint32 {
	return codec.FoldString(m.GetS1()) + 3*codec.FoldString(m.GetS2()) +
		5*codec.FoldString(m.GetS3()) + 7*codec.FoldString(m.GetS4()) +
		9*codec.FoldString(m.GetS5()) + 11*codec.FoldString(m.GetS6()) +
		13*codec.FoldString(m.GetS7()) + 15*codec.FoldString(m.GetS8())
}

func fillT3(m *shapes.T3, n *codec.T3) { m.V = *n }

func fromT3(m *shapes.T3) codec.T3 { return m.GetV() }

func foldT3(m *shapes.T3) uint32 {
	return 101*uint32(len(m.GetV())) + codec.FoldInts(m.GetV())
}

func fillT4(m *shapes.T4, n *codec.T4) { m.V = *n }

func fromT4(m *shapes.T4) codec.T4 { return m.GetV() }

func foldT4(m *shapes.T4) uint32 {
	return 101*uint32(len(m.GetV())) + codec.FoldStrings(m.GetV())
}

func fillT5(m *shapes.T5, n *codec.T5) {
	m.M = make(map[string]*shapes.IntList, len(*n))
	for key, values := range *n {
		m.M[key] = &shapes.IntList{V: values}
	}
}

func fromT5(m *shapes.T5) codec.T5 {
	n := make(codec.T5, len(m.GetM()))
	for key, values := range m.GetM() {
		n[key] = values.GetV()
	}
	return n
}

func foldT5(m *shapes.T5) uint32 {
	sum := 101 * uint32(len(m.GetM()))
	for key, values := range m.GetM() {
		sum += 3*codec.FoldString(key) + 5*codec.FoldInts(values.GetV())
	}
	return sum
}
