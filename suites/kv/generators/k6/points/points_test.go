package points

import (
	"reflect"
	"strings"
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
	var read []Point
	err := Read(strings.NewReader(string(text)+`{"tick":17`), func(p Point) error {
		read = append(read, p)
		return nil
	})
	if err != nil || !reflect.DeepEqual(read, written) {
		t.Errorf("read %v, %v", read, err)
	}
}

func TestBrokenLinesAreNamed(t *testing.T) {
	for _, line := range []string{"", "{", `{"tick": "7"}`, `[]`} {
		err := Read(strings.NewReader("{\"tick\":1}\n"+line+"\n"), func(Point) error { return nil })
		if err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%q: %v", line, err)
		}
	}
}
