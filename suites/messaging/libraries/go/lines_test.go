package messaging

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/json"
	"io"
	"os"
	"regexp"
	"testing"
)

// Lines that were written while HdrHistogram for Go made their histograms.
const written = "../../../../tests/messaging/interval_lines.json"

var histogram = regexp.MustCompile(`"(service|response)":"([^"]+)"`)

// inflated is a line whose histograms are as they were before compression, and how many it has.
func inflated(t *testing.T, line string) (string, int) {
	t.Helper()
	found := histogram.FindAllStringIndex(line, -1)
	return histogram.ReplaceAllStringFunc(line, func(field string) string {
		parts := histogram.FindStringSubmatch(field)
		data, err := base64.StdEncoding.DecodeString(parts[2])
		if err != nil {
			t.Fatal(err)
		}
		inflating, err := zlib.NewReader(bytes.NewReader(data[8:]))
		if err != nil {
			t.Fatal(err)
		}
		payload, err := io.ReadAll(inflating)
		if err != nil {
			t.Fatal(err)
		}
		encoded, err := json.Marshal([][]byte{data[:4], payload})
		if err != nil {
			t.Fatal(err)
		}
		return `"` + parts[1] + `":` + string(encoded)
	}), len(found)
}

func TestLinesAreWrittenAsTheyAlwaysWere(t *testing.T) {
	text, err := os.ReadFile(written)
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Second    int64
		Step      string
		Counts    map[string]int64
		Durations [][2]int64
		Go        string
	}
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	histograms := 0
	for _, one := range cases {
		d := newDeliveries(nil, nil, one.Step == "")
		d.phase.Store(&deliveryPhase{step: one.Step})
		counted := &tally{
			expected: one.Counts["expected"], received: one.Counts["received"],
			duplicates: one.Counts["duplicates"], reordered: one.Counts["reordered"],
			held: one.Counts["held"], wrong: one.Counts["wrong"], bytes: one.Counts["bytes"],
		}
		for _, ns := range one.Durations {
			for range ns[1] {
				counted.service.Add(ns[0])
				if d.isOpen {
					counted.response.Add(ns[0])
				}
			}
		}
		line, err := json.Marshal(d.line(one.Second, counted))
		if err != nil {
			t.Fatal(err)
		}
		expected, there := inflated(t, one.Go)
		if found, _ := inflated(t, string(line)); found != expected {
			t.Errorf("wrote %s, not %s", found, expected)
		}
		histograms += there
	}
	if len(cases) != 6 || histograms != 8 {
		t.Errorf("looked at %d lines, %d histograms", len(cases), histograms)
	}
}
