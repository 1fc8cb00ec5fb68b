package codec

// All arithmetic of folds is modulo 2^32: that of uint32.

// FoldString is S(s), in bytes of UTF-8.
func FoldString(s string) uint32 {
	if len(s) == 0 {
		return 0
	}
	return uint32(len(s)) + 31*uint32(s[0]) + 17*uint32(s[len(s)-1])
}

// FoldFloat is a float truncated towards zero.
func FoldFloat(f float64) uint32 {
	return uint32(int64(f))
}

// FoldBool is 1 for true.
func FoldBool(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// FoldBytes is the fold of an encoding.
func FoldBytes(encoded []byte) uint32 {
	n := len(encoded)
	if n == 0 {
		return 0
	}
	return 7*uint32(n) + uint32(encoded[0]) + 3*uint32(encoded[n/2]) + 5*uint32(encoded[n-1])
}

// FoldInts is Σ (2i+1) · v[i].
func FoldInts(v []int32) uint32 {
	var sum uint32
	weight := uint32(1)
	for _, one := range v {
		sum += weight * uint32(one)
		weight += 2
	}
	return sum
}

// FoldStrings is Σ (2i+1) · S(v[i]).
func FoldStrings(v []string) uint32 {
	var sum uint32
	weight := uint32(1)
	for _, one := range v {
		sum += weight * FoldString(one)
		weight += 2
	}
	return sum
}

// FoldT1 is the fold of ten primitives.
func FoldT1(n *T1) uint32 {
	return uint32(n.C) + 3*uint32(n.UC) + 5*uint32(n.I16) + 7*uint32(n.U16) + 9*uint32(n.I32) +
		11*n.U32 + 13*uint32(n.I64) + 15*uint32(n.U64) + 17*FoldFloat(float64(n.F)) + 19*FoldFloat(n.D)
}

// FoldT2 is the fold of eight strings.
func FoldT2(n *T2) uint32 {
	return FoldString(n.S1) + 3*FoldString(n.S2) + 5*FoldString(n.S3) + 7*FoldString(n.S4) +
		9*FoldString(n.S5) + 11*FoldString(n.S6) + 13*FoldString(n.S7) + 15*FoldString(n.S8)
}

// FoldT3 is the fold of a list of integers.
func FoldT3(n *T3) uint32 {
	return 101*uint32(len(*n)) + FoldInts(*n)
}

// FoldT4 is the fold of a list of strings.
func FoldT4(n *T4) uint32 {
	return 101*uint32(len(*n)) + FoldStrings(*n)
}

// FoldT5 is the fold of a map, which does not depend on its order.
func FoldT5(n *T5) uint32 {
	sum := 101 * uint32(len(*n))
	for key, values := range *n {
		sum += 3*FoldString(key) + 5*FoldInts(values)
	}
	return sum
}

// FoldTelemetry is the fold of a list of points.
func FoldTelemetry(n *Telemetry) uint32 {
	sum := 101 * uint32(len(n.Points))
	for i := range n.Points {
		point := &n.Points[i]
		sum += 3*uint32(point.Time) + 5*FoldFloat(point.Value) + 7*uint32(point.Quality)
	}
	return sum
}

// FoldChat is the fold of a chat message.
func FoldChat(n *Chat) uint32 {
	sum := 3*FoldString(n.ID) + 5*uint32(n.Sent) + 7*FoldString(n.Board)
	sum += 9*n.Author.ID + 11*FoldString(n.Author.Name) + 13*FoldBool(n.Author.Active)
	sum += 15*FoldString(n.Text) + 101*uint32(len(n.Mentions)+len(n.Strokes)) + FoldStrings(n.Mentions)
	for i := range n.Strokes {
		stroke := &n.Strokes[i]
		sum += 17*FoldString(stroke.Color) + 19*FoldFloat(stroke.Width)
		for _, point := range stroke.Points {
			sum += 21*uint32(point.X) + 23*uint32(point.Y)
		}
	}
	return sum
}
