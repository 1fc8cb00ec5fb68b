package points

import (
	"bytes"
	"reflect"
	"testing"
)

func TestWhatIsWrittenIsRead(t *testing.T) {
	written := []Point{
		{Metric: "rtt", WallNS: 1_700_000_000_123_456_789, Value: 12, User: 999},
		{Metric: "sent", Value: 0.1},
		// An interval of a second, in which a nanosecond still counts.
		{Metric: "delivery", Value: 1234.567891234},
		{Metric: "copy", Value: -1e-300, User: 3, Note: "{\"a\":\t\"\n\x00한\"}\\"},
	}
	var text []byte
	for _, point := range written {
		text = Append(text, point)
	}
	lines := bytes.Split(text, []byte{'\n'})
	if len(lines) != len(written)+1 {
		t.Fatalf("%d points took %d lines", len(written), len(lines)-1)
	}
	for number, point := range written {
		read, err := Parse(lines[number])
		if err != nil || !reflect.DeepEqual(read, point) {
			t.Errorf("read %v, %v", read, err)
		}
	}
}

func TestBrokenLinesAreNoPoints(t *testing.T) {
	for _, line := range []string{"", "rtt", "a\tb\t1\t1\t\"\"", "a\t1\tx\t1\t\"\"", "a\t1\t1\tx\t\"\"", "a\t1\t1\t1\tx"} {
		if point, err := Parse([]byte(line)); err == nil {
			t.Errorf("%q: %v", line, point)
		}
	}
}
