package points

import (
	"reflect"
	"strings"
	"testing"
)

func TestWhatIsWrittenIsRead(t *testing.T) {
	written := []Point{
		{Metric: "rtt", WallNS: 1_700_000_000_123_456_789, Value: 12, User: 999},
		{Metric: "sent", Value: 0.1},
		{Metric: "copy", Value: -1e-300, User: 3, Note: "{\"a\":\t\"\n\x00한\"}\\"},
	}
	var text []byte
	for _, point := range written {
		text = Append(text, point)
	}
	var read []Point
	err := Read(strings.NewReader(string(text)+"rtt\t17"), func(p Point) error {
		read = append(read, p)
		return nil
	})
	if err != nil || !reflect.DeepEqual(read, written) {
		t.Errorf("read %v, %v", read, err)
	}
}

func TestBrokenLinesAreNamed(t *testing.T) {
	for _, line := range []string{"", "rtt", "a\tb\t1\t1\t\"\"", "a\t1\tx\t1\t\"\"", "a\t1\t1\tx\t\"\"", "a\t1\t1\t1\tx"} {
		text := "rtt\t1\t1\t1\t\"\"\n" + line + "\n"
		err := Read(strings.NewReader(text), func(Point) error { return nil })
		if err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%q: %v", line, err)
		}
	}
}
