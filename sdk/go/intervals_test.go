package sdk

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"
)

func durationsOf(ns []int64) *Durations {
	found := &Durations{}
	for _, one := range ns {
		found.Add(one)
	}
	return found
}

// histogram is the header of an encoded one, and its counters one by one; of none it is empty.
type histogram struct {
	Compressed, Cookie, Offset, Digits uint32
	Lowest, Highest                    uint64
	Ratio                              uint64
	Counters                           []int64
}

func histogramOf(t *testing.T, encoded any) (found histogram) {
	t.Helper()
	text, _ := encoded.(string)
	if text == "" {
		return found
	}
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	if said := binary.BigEndian.Uint32(data[4:]); int(said) != len(data)-8 {
		t.Errorf("says it has %d bytes, and has %d", said, len(data)-8)
	}
	inflating, err := zlib.NewReader(bytes.NewReader(data[8:]))
	if err != nil {
		t.Fatal(err)
	}
	payload, err := io.ReadAll(inflating)
	if err != nil {
		t.Fatal(err)
	}
	numbers := payload[40:]
	if said := binary.BigEndian.Uint32(payload[4:]); int(said) != len(numbers) {
		t.Errorf("says its counters have %d bytes, and they have %d", said, len(numbers))
	}
	found = histogram{
		Compressed: binary.BigEndian.Uint32(data), Cookie: binary.BigEndian.Uint32(payload),
		Offset: binary.BigEndian.Uint32(payload[8:]), Digits: binary.BigEndian.Uint32(payload[12:]),
		Lowest: binary.BigEndian.Uint64(payload[16:]), Highest: binary.BigEndian.Uint64(payload[24:]),
		Ratio: binary.BigEndian.Uint64(payload[32:]),
	}
	for len(numbers) > 0 {
		count, size := binary.Varint(numbers)
		numbers = numbers[size:]
		if count < 0 {
			found.Counters = append(found.Counters, make([]int64, -count)...)
		} else {
			found.Counters = append(found.Counters, count)
		}
	}
	return found
}

func TestVectorsOfIntervals(t *testing.T) {
	var cases struct {
		Intervals []struct {
			Fields            map[string]any
			ServiceNS         []int64 `json:"service_ns"`
			ResponseNS        []int64 `json:"response_ns"`
			Service, Response string
		}
	}
	read(t, "intervals.json", &cases)
	histograms := 0
	for _, c := range cases.Intervals {
		text, err := json.Marshal(c.Fields)
		if err != nil {
			t.Fatal(err)
		}
		var interval Interval
		decode(t, text, &interval)
		interval.Service, interval.Response = durationsOf(c.ServiceNS), durationsOf(c.ResponseNS)
		if len(interval.Counts) == 0 {
			// Left out, as who counts nothing leaves it.
			delete(c.Fields, "counts")
		}
		line := written(t, interval)
		for name, expected := range map[string]string{"service": c.Service, "response": c.Response} {
			found, expected := histogramOf(t, line[name]), histogramOf(t, expected)
			if !reflect.DeepEqual(found, expected) {
				t.Errorf("%s: wrote %v, not %v", name, found, expected)
			}
			if len(expected.Counters) > 0 {
				histograms++
			}
			delete(line, name)
		}
		if !reflect.DeepEqual(line, c.Fields) {
			t.Errorf("wrote %v, not %v", line, c.Fields)
		}
	}
	if len(cases.Intervals) != 4 || histograms != 4 {
		t.Errorf("looked at %d intervals, %d histograms", len(cases.Intervals), histograms)
	}
}

// written is the line that a file has of an interval.
func written(t *testing.T, interval Interval) (line map[string]any) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "intervals")
	file, err := newIntervals(path)
	if err == nil {
		err = file.Write(interval)
	}
	if err == nil {
		err = file.close()
	}
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Count(text, []byte("\n")) != 1 || !bytes.HasSuffix(text, []byte("}\n")) {
		t.Errorf("not one line: %q", text)
	}
	decode(t, text, &line)
	return line
}

func TestNoDurationsAreLeftOut(t *testing.T) {
	line := written(t, Interval{Operation: "delivery", Service: &Durations{}})
	if expected := map[string]any{"second": json.Number("0"), "operation": "delivery"}; !reflect.DeepEqual(line, expected) {
		t.Errorf("wrote %v", line)
	}
}

func TestWhatIsOutOfBoundsCountsAsTheNearestBound(t *testing.T) {
	bounds, beyond := durationsOf([]int64{0, highestNS}), durationsOf([]int64{-1, highestNS + 1<<40})
	if !reflect.DeepEqual(bounds, beyond) || beyond.Count() != 2 {
		t.Errorf("%d beyond the bounds are others", beyond.Count())
	}
}

func TestSecondsAreTakenOutOnceTheyAreOldEnough(t *testing.T) {
	const second = int64(time.Second)
	kept := NewBySecond(func() *[]int64 { return new([]int64) })
	kept.StartAt(10 * second)
	count := func(ns int64) {
		at := kept.At(ns)
		*at = append(*at, ns)
	}
	for _, ns := range []int64{14 * second, 9 * second, 11*second - 1, 11 * second} {
		count(ns)
	}
	if early := maps.Collect(kept.Settled(13*second-1, 2)); len(early) != 0 {
		t.Errorf("too early: %v", early)
	}
	if old := maps.Collect(kept.Settled(13*second, 2)); len(old) != 1 ||
		!reflect.DeepEqual(*old[0], []int64{9 * second, 11*second - 1}) {
		t.Errorf("old ones: %v", old)
	}
	count(10 * second)
	var order []int64
	for at, counts := range kept.All() {
		order = append(order, at, (*counts)[0]/second)
	}
	if expected := []int64{0, 10, 1, 11, 4, 14}; !reflect.DeepEqual(order, expected) {
		t.Errorf("the others: %v", order)
	}
	if rest := maps.Collect(kept.All()); len(rest) != 0 {
		t.Errorf("twice: %v", rest)
	}
}
