package cgd

import (
	"errors"
	"runtime"
	"strings"
	"testing"
)

func written(t *testing.T, write func(*Buffer)) []byte {
	t.Helper()
	var out Buffer
	write(&out)
	encoded, err := out.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

func TestStringsComeBack(t *testing.T) {
	for _, text := range []string{
		"", "a", "이것 좀 테스트하게 해주세요.", "߿ࠀ\uffff", "😀\U0010ffff", "a\x00b",
		strings.Repeat("x😀이", 100), strings.Repeat("가", chunkUnits), strings.Repeat("a", 1000),
	} {
		in := NewReader(written(t, func(out *Buffer) { out.AppendString(text) }))
		if found := in.ExtractString(); found != text || in.End() != nil {
			t.Errorf("%.20q came back as %.20q, %v", text, found, in.End())
		}
	}
}

func TestAStringIsWrittenAsItsUnits(t *testing.T) {
	encoded := written(t, func(out *Buffer) { out.AppendString("1😀") })
	if want := "\x04\x00\x00\x001\x00\x3d\xd8\x00\xde\x00\x00"; string(encoded) != want {
		t.Errorf("% x", encoded)
	}
}

func TestTextThatIsNotUTF8IsNotWritten(t *testing.T) {
	for _, text := range []string{"\xff", "a\xc3", "\xe0\x80\x80", "\xed\xa0\x80", "\xea\xb0", "\xf4\x90\x80\x80"} {
		var out Buffer
		out.AppendString(text)
		if _, err := out.Bytes(); !errors.Is(err, NotUnicode) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestBadStringsAreRejected(t *testing.T) {
	for encoded, want := range map[string]Error{
		"":                                      Truncated,
		"\x01\x00\x00":                          Truncated,
		"\x01\x00\x00\x00\x00":                  Truncated,
		"\xff\xff\xff\x7f\x00\x00":              Truncated,
		"\x00\x00\x00\x00\x00\x00":              NoTerminator,
		"\x01\x00\x00\x00a\x00":                 NoTerminator,
		"\xff\xff\xff\xff":                      Null,
		"\xfe\xff\xff\xff":                      NegativeCount,
		"\x02\x00\x00\x00\x00\xd8\x00\x00":      NotUnicode,
		"\x02\x00\x00\x00\x00\xdc\x00\x00":      NotUnicode,
		"\x03\x00\x00\x00\x00\xd8a\x00\x00\x00": NotUnicode,
		"\x01\x00\x00\x00\x00\x00!":             LeftOver,
	} {
		in := NewReader([]byte(encoded))
		if text := in.ExtractString(); text != "" || !errors.Is(in.End(), want) {
			t.Errorf("% x gave %q, %v", encoded, text, in.End())
		}
	}
}

func TestAnErrorHasItsPlace(t *testing.T) {
	for encoded, before := range map[string]int{
		"\x01\x00\x00\x00\x00\x00":                         6,
		"\x01\x00\x00\x00\x00\x00\x01\x00":                 6,
		"\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00": 10,
	} {
		in := NewReader([]byte(encoded))
		in.ExtractString()
		in.ExtractString()
		var placed *PlacedError
		if !errors.As(in.End(), &placed) || placed.Before != before {
			t.Errorf("% x gave %v", encoded, in.End())
		}
	}
}

func TestACountTakesNoMemoryThatItCannotFill(t *testing.T) {
	const plenty = 4096
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	in := NewReader([]byte("\xff\xff\xff\x7f\x00\x00\x00\x00"))
	values := in.ExtractInt32s()
	runtime.ReadMemStats(&after)
	allocated := after.TotalAlloc - before.TotalAlloc
	if len(values) > 0 || allocated > plenty || !errors.Is(in.End(), Truncated) {
		t.Errorf("%d values, %d bytes, %v", len(values), allocated, in.End())
	}
}

func TestNothingIsExtractedAfterAnError(t *testing.T) {
	in := NewReader([]byte("\x02\x01\x02\x03\x04\x05\x06\x07\x08"))
	if in.ExtractBool() || in.ExtractUint64() != 0 || !errors.Is(in.End(), NotBool) {
		t.Errorf("%v", in.End())
	}
}
