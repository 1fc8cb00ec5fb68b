package points

import (
	"bytes"
	"reflect"
	"testing"
)

func TestWhatIsWrittenIsRead(t *testing.T) {
	written := []Point{
		{Tick: 7, Lane: 49, Exchange: &Exchange{EndNS: 1_700_000_000_123_456_789, DurationNS: 1, BlockedNS: 2, Status: 200}},
		{Tick: 7, Lane: 49, Response: &Response{Bytes: 9, Timing: "keys;dur=0.2", Body: "{\"a\":\t\"\n한\"}\\"}},
		{Exchange: &Exchange{Code: 1212, Error: "dial: connection refused"}},
	}
	var text []byte
	for _, point := range written {
		var err error
		if text, err = Append(text, point); err != nil {
			t.Fatal(err)
		}
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
	for _, line := range []string{"", "{", `{"tick": "7"}`, `[]`} {
		if point, err := Parse([]byte(line)); err == nil {
			t.Errorf("%q: %v", line, point)
		}
	}
}
