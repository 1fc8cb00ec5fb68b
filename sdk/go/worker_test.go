package sdk

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

const startAndStop = `{"command":"start","monotonic_ns":12345}` + "\n" + `{"command":"stop"}` + "\n"

// life is one run of a worker: what it said and what it left.
type life struct {
	code   int
	events []map[string]any
	folder string
}

func live(t *testing.T, input string, role func(*Worker) error) life {
	t.Helper()
	return liveFor(t, 20*time.Second, input, role)
}

// liveFor gives the role half of patience after stop.
func liveFor(t *testing.T, patience time.Duration, input string, role func(*Worker) error) life {
	t.Helper()
	limits := map[string]any{"limits": map[string]any{"stop_ns": patience}}
	return liveWith(t, limits, strings.NewReader(input), role)
}

// liveWith replaces parts of the spec.
func liveWith(t *testing.T, changes map[string]any, input io.Reader, role func(*Worker) error) life {
	t.Helper()
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	spec := map[string]any{
		"contract": 2, "trial": "t", "role": "server", "seed": uint64(1<<64 - 1),
		"parameters": map[string]any{"size": 50, "share": 0.5, "placement": "fill", "again": true},
		"schedule":   map[string]any{"period_ns": 1000, "count": 0},
		"operations": map[string]any{},
		"paths": map[string]any{
			"samples": at("s"), "answers": at("a"), "intervals": at("i"), "scratch": folder,
		},
		"limits": map[string]any{"stop_ns": 20 * time.Second},
	}
	maps.Copy(spec, changes)
	text, err := json.Marshal(spec)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at("spec.json"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	var output bytes.Buffer
	found := life{folder: folder}
	found.code = run(at("spec.json"), input, &output, role)
	for _, line := range strings.FieldsFunc(output.String(), func(r rune) bool { return r == '\n' }) {
		var event map[string]any
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			t.Fatalf("not an event: %s", line)
		}
		found.events = append(found.events, event)
	}
	return found
}

func (l life) event(name string) map[string]any {
	for _, event := range l.events {
		if event["event"] == name {
			return event
		}
	}
	return nil
}

// samples are those of the sample file.
func (l life) samples(t *testing.T) []Sample {
	t.Helper()
	data := l.file(t, "s")[recordSize:]
	read := make([]Sample, len(data)/recordSize)
	if _, err := binary.Decode(data, binary.LittleEndian, read); err != nil {
		t.Fatal(err)
	}
	return read
}

func (l life) file(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(l.folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func TestAServerServesUntilStop(t *testing.T) {
	var start int64
	found := live(t, "nonsense\n"+`{"command":"dance"}`+"\n"+startAndStop, func(w *Worker) error {
		err := w.Ready(Ready{
			Library: Named{"lib", "1.2"}, Endpoint: "ws://x", Facts: map[string]any{"protocol": "json"},
		})
		<-w.Stopped()
		start = <-w.Started()
		return err
	})
	ready := found.event("ready")
	if found.code != 0 || start != 12345 || ready["endpoint"] != "ws://x" || ready["contract"] != 2.0 {
		t.Errorf("exit %d, start %d, ready %v", found.code, start, ready)
	}
	if !reflect.DeepEqual(ready["facts"], map[string]any{"protocol": "json"}) {
		t.Errorf("facts %v", ready["facts"])
	}
	if heap := found.event("runtime")["heap_bytes"].(float64); heap <= 0 {
		t.Errorf("heap %v", heap)
	}
	last := found.events[len(found.events)-1]
	expected := map[string]any{"event": "done", "records": 0.0, "answers": 0.0, "checksum": "00000000"}
	if !reflect.DeepEqual(last, expected) {
		t.Errorf("last event %v", last)
	}
	if size := len(found.file(t, "s")); size != recordSize {
		t.Errorf("sample file of %d bytes", size)
	}
}

func TestEndOfInputMeansStop(t *testing.T) {
	found := live(t, "", func(w *Worker) error {
		<-w.Stopped()
		return nil
	})
	if found.code != 0 || found.event("done") == nil {
		t.Errorf("exit %d, %v", found.code, found.events)
	}
}

func TestWhoIsStillBusyAfterStopIsGivenUp(t *testing.T) {
	found := liveFor(t, 20*time.Millisecond, startAndStop, func(*Worker) error {
		select {}
	})
	if found.code != 0 || found.event("done") == nil {
		t.Errorf("exit %d, %v", found.code, found.events)
	}
}

func TestFilesAreThoseOfTheContract(t *testing.T) {
	sample := Sample{
		IntendedNS: 1, StartNS: 2, EndNS: 1<<62 + 3, Bytes: 4, Operation: 5, Status: Timeout, Lane: 65535,
	}
	found := live(t, "", func(w *Worker) error {
		w.Recorder.Record(sample)
		w.Recorder.Record(Sample{})
		if w.Recorder.Count() != 2 {
			t.Errorf("count %d", w.Recorder.Count())
		}
		if err := w.Intervals.Write(Interval{Second: 3, Operation: "delivery", Counts: map[string]int64{"expected": 7}}); err != nil {
			return err
		}
		return w.Answers.Write(Answer{Preflight, "read", 1, 2, 3, []float64{0.1}})
	})
	data := found.file(t, "s")
	header := append([]byte("WLSAMPLE"), 1, 0, 32, 0, 1, 0, 0, 0)
	if !bytes.Equal(data[:16], header) || len(data) != 3*recordSize {
		t.Errorf("header %v, %d bytes", data[:32], len(data))
	}
	var read Sample
	if _, err := binary.Decode(data[recordSize:], binary.LittleEndian, &read); err != nil || read != sample {
		t.Errorf("read %+v, %v", read, err)
	}
	if line := string(found.file(t, "i")); line != `{"second":3,"operation":"delivery","counts":{"expected":7}}`+"\n" {
		t.Errorf("intervals %s", line)
	}
	answers := found.file(t, "a")
	expected := `{"phase":"preflight","operation":"read","tick":1,"start_ns":2,"end_ns":3,"answer":[0.1]}` + "\n"
	if string(answers) != expected {
		t.Errorf("answers %s", answers)
	}
	done := found.event("done")
	if done["records"] != 2.0 || done["answers"] != 1.0 ||
		done["checksum"] != fmt.Sprintf("%08x", crc32.ChecksumIEEE(answers)) {
		t.Errorf("done %v", done)
	}
}

func TestAFailedRoleSaysWhyAndIsNotDone(t *testing.T) {
	found := live(t, "", func(*Worker) error {
		return fmt.Errorf("wrapped: %w", Fault{Class: "Refused", Status: "x", Message: "no"})
	})
	fatal := found.event("error")
	if found.code != 1 || found.event("done") != nil || fatal["class"] != "Refused" || fatal["scope"] != "fatal" {
		t.Errorf("exit %d, %v", found.code, found.events)
	}
	found = live(t, "", func(*Worker) error { return errors.New("plain") })
	if fatal := found.event("error"); found.code != 1 || fatal["message"] != "plain" {
		t.Errorf("exit %d, %v", found.code, found.events)
	}
}

func TestErrorsAreBounded(t *testing.T) {
	found := live(t, "", func(w *Worker) error {
		for range 3 * errorsPerClass {
			w.Fault(Fault{Class: "A", Message: strings.Repeat("한", longestText), Scope: CallScope})
		}
		w.Fault(Fault{Class: "B", Scope: CallScope})
		return nil
	})
	classes := map[any]int{}
	for _, event := range found.events {
		if event["event"] == "error" {
			classes[event["class"]]++
			if message := event["message"].(string); len(message) > longestText || strings.Contains(message, "\ufffd") {
				t.Fatalf("a message of %d bytes: …%q", len(message), message[len(message)-6:])
			}
		}
	}
	if !reflect.DeepEqual(classes, map[any]int{"A": errorsPerClass, "B": 1}) {
		t.Errorf("got %v", classes)
	}
}
