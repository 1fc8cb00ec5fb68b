package sdk

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// The vectors of the worker contract: see their README.
const vectors = "../vectors"

// read decodes a file of vectors; whole numbers keep their 64 bits.
func read(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(vectors, name))
	if err != nil {
		t.Fatal(err)
	}
	decode(t, text, into)
}

func decode(t *testing.T, text []byte, into any) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(into); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

type laneVector struct {
	Lane    int64      `json:"lane"`
	ShiftNS int64      `json:"shift_ns"`
	Due     [][2]int64 `json:"due"`
}

type scheduleVectors struct {
	Timed []struct {
		Name     string       `json:"name"`
		Schedule Schedule     `json:"schedule"`
		EndNS    int64        `json:"end_ns"`
		Lanes    []laneVector `json:"lanes"`
		Joins    [][2]int64   `json:"joins"`
	} `json:"timed"`
	Closed []struct {
		Schedule    Schedule `json:"schedule"`
		OperationNS int64    `json:"operation_ns"`
		Steps       []struct {
			Step     string `json:"step"`
			AtMostNS *int64 `json:"at_most_ns"`
		} `json:"steps"`
	} `json:"closed"`
}

// Every time of a schedule of 63 bits is over when the trial began so long ago: nothing waits.
const longAgoNS = math.MinInt64 + 1

func TestVectorsOfSchedules(t *testing.T) {
	var cases scheduleVectors
	read(t, "schedule.json", &cases)
	lanes, joins := 0, 0
	for _, c := range cases.Timed {
		t.Run(c.Name, func(t *testing.T) {
			if err := c.Schedule.check(); err != nil {
				t.Fatal(err)
			}
			inboxes := announced(t, c.Schedule)
			for _, lane := range c.Lanes {
				phaseNS, ticks := c.Schedule.shift(lane.Lane)
				if found := ticks*c.Schedule.PeriodNS + phaseNS; found != lane.ShiftNS {
					t.Errorf("lane %d: shifted by %d, not %d", lane.Lane, found, lane.ShiftNS)
				}
				if found := inboxes[lane.Lane].ticks; !reflect.DeepEqual(found, lane.Due) {
					t.Errorf("lane %d: due at %v, not %v", lane.Lane, found, lane.Due)
				}
				lanes++
			}
			for _, join := range c.Joins {
				if found := inboxes[join[0]].joinNS; found != join[1] {
					t.Errorf("user %d joins at %d, not %d", join[0], found, join[1])
				}
				joins++
			}
		})
	}
	if len(cases.Timed) != 9 || lanes != 30 || joins != 41 {
		t.Errorf("looked at %d schedules, %d lanes, %d joins", len(cases.Timed), lanes, joins)
	}
}

// announcement is all that one user was told to do.
type announcement struct {
	ticks  [][2]int64
	joinNS int64
}

// announced plays a schedule whose times are all over, with inboxes that somebody empties.
func announced(t *testing.T, schedule Schedule) []announcement {
	t.Helper()
	timer, err := newKernelTimer()
	if err != nil {
		t.Fatal(err)
	}
	// Whoever takes a time for one to come is not to wait for it.
	timer.close()
	users := int64(1)
	for _, step := range schedule.Steps {
		users = max(users, step.Users)
	}
	found, inboxes := make([]announcement, users), make([]chan moment, users)
	for user := range inboxes {
		// More than any user is due to in the vectors.
		inboxes[user] = make(chan moment, 64)
	}
	d := &driver{worker: &Worker{Spec: &Spec{Schedule: schedule}}, startNS: longAgoNS}
	if err := d.announce(timer, inboxes); err != nil {
		t.Fatal(err)
	}
	for user, inbox := range inboxes {
		close(inbox)
		for due := range inbox {
			afterNS := due.intendedNS - longAgoNS
			if due.tick == joining {
				found[user].joinNS = afterNS
			} else {
				found[user].ticks = append(found[user].ticks, [2]int64{due.tick, afterNS})
			}
		}
	}
	return found
}

func TestVectorsOfClosedLoops(t *testing.T) {
	var cases scheduleVectors
	read(t, "schedule.json", &cases)
	steps := 0
	for _, c := range cases.Closed {
		if !c.Schedule.IsClosed() || c.Schedule.check() != nil {
			t.Errorf("not a closed loop: %+v", c.Schedule)
		}
		for number, step := range c.Schedule.Steps {
			expected := int64(math.MaxInt64)
			if atMostNS := c.Steps[number].AtMostNS; atMostNS != nil {
				expected = *atMostNS
			}
			found := c.Schedule.atMost(step.Count-step.Settle, c.OperationNS)
			if found != time.Duration(expected) {
				t.Errorf("step %s takes at most %d, not %d", step.Name, found, expected)
			}
			steps++
		}
	}
	if steps != 6 {
		t.Errorf("looked at %d steps", steps)
	}
}

func TestVectorsOfSamples(t *testing.T) {
	var cases struct {
		Header  string
		Records []struct {
			IntendedNS int64 `json:"intended_ns"`
			StartNS    int64 `json:"start_ns"`
			EndNS      int64 `json:"end_ns"`
			Size       uint32
			Op         uint8
			Status     uint8
			Lane       uint16
			Bytes      string
		}
	}
	read(t, "samples.json", &cases)
	path, expected := filepath.Join(t.TempDir(), "samples"), cases.Header
	recorder, err := newRecorder(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range cases.Records {
		recorder.Record(Sample{r.IntendedNS, r.StartNS, r.EndNS, r.Size, r.Op, r.Status, r.Lane})
		expected += r.Bytes
	}
	if records, err := recorder.close(); records != 7 || err != nil {
		t.Fatalf("%d records, %v", records, err)
	}
	written, err := os.ReadFile(path)
	if found := hex.EncodeToString(written); err != nil || found != expected {
		t.Errorf("%v, wrote\n%s, not\n%s", err, found, expected)
	}
}

func TestVectorsOfEvents(t *testing.T) {
	var cases struct{ Events []map[string]any }
	read(t, "events.json", &cases)
	said := map[string]int{}
	for _, event := range cases.Events {
		line := emitted(t, event)
		for key, expected := range event {
			if !reflect.DeepEqual(line[key], expected) {
				t.Errorf("%s: %s is %v, not %v", event["event"], key, line[key], expected)
			}
		}
		said[event["event"].(string)]++
	}
	expected := map[string]int{"ready": 2, "progress": 2, "step": 2, "error": 2, "done": 2}
	if !maps.Equal(said, expected) {
		t.Errorf("said %v", said)
	}
}

// emitted says an event as a worker does, and reads its line.
func emitted(t *testing.T, event map[string]any) map[string]any {
	t.Helper()
	var output bytes.Buffer
	w := &Worker{events: &events{output: &output}}
	text := func(key string) string { return event[key].(string) }
	whole := func(key string) int64 {
		number, err := event[key].(json.Number).Int64()
		if err != nil {
			t.Fatal(err)
		}
		return number
	}
	switch kind := text("event"); kind {
	case "ready":
		w.Answers, _ = newAnswers(filepath.Join(t.TempDir(), "answers"))
		ready := Ready{Quiet: true}
		text, err := json.Marshal(event)
		if err == nil {
			err = json.Unmarshal(text, &ready)
		}
		if err == nil {
			err = w.Ready(ready)
		}
		if err != nil {
			t.Fatal(err)
		}
	case "progress":
		w.events.emit(progressEvent{kind, whole("records")})
	case "step":
		w.Step(text("name"), whole("begin_ns"), whole("end_ns"))
	case "error":
		w.Fault(Fault{
			Class: text("class"), Status: text("status"), Message: text("message"),
			Scope: Scope(text("scope")), Operation: text("operation"), IntendedNS: whole("intended_ns"),
		})
	case "done":
		w.events.emit(doneEvent{
			Event: kind, Records: whole("records"), Answers: whole("answers"), Checksum: text("checksum"),
		})
	default:
		t.Fatalf("an event %s", kind)
	}
	if bytes.Count(output.Bytes(), []byte("\n")) != 1 || !strings.HasSuffix(output.String(), "\n") {
		t.Errorf("not one line: %q", output.String())
	}
	var line map[string]any
	decode(t, output.Bytes(), &line)
	return line
}

func TestVectorsOfCommands(t *testing.T) {
	var cases struct {
		Commands []struct {
			Line    string
			StartNS *int64 `json:"start_ns"`
		}
	}
	read(t, "events.json", &cases)
	for _, c := range cases.Commands {
		reading, writing := io.Pipe()
		heard := listen(reading, func(asking) error { return nil })
		if _, err := io.WriteString(writing, c.Line+"\n"); err != nil {
			t.Fatal(err)
		}
		select {
		case found := <-heard.start:
			if c.StartNS == nil || found != *c.StartNS {
				t.Errorf("%s: start at %d", c.Line, found)
			}
		case <-heard.stop:
			if c.StartNS != nil {
				t.Errorf("%s: stop", c.Line)
			}
		}
		_ = writing.Close()
	}
	if len(cases.Commands) != 10 {
		t.Errorf("looked at %d commands", len(cases.Commands))
	}
}

func TestAnswersAreGivenAsTheyAreAskedFor(t *testing.T) {
	var file struct {
		Cases []struct {
			Name string
			Does []struct {
				Does, Operation   string
				Lane, Tick, Asked int64
				Results           []struct {
					Operation string
					StartNS   int64 `json:"start_ns"`
					EndNS     int64 `json:"end_ns"`
					Answer    map[string]any
				}
			}
			Lines []map[string]any
		}
	}
	read(t, "asked.json", &file)
	lines := 0
	for _, played := range file.Cases {
		path := filepath.Join(t.TempDir(), "answers")
		answers, err := newAnswers(path)
		if err != nil {
			t.Fatal(err)
		}
		recorder, err := newRecorder(filepath.Join(t.TempDir(), "samples"))
		if err != nil {
			t.Fatal(err)
		}
		asked := newAsked(answers, recorder)
		for _, one := range played.Does {
			switch one.Does {
			case "begin":
				asked.begin(asked.lane(one.Lane))
			case "ask":
				err = asked.hear(asking{one.Asked, one.Operation, one.Lane})
			default:
				var results []*result
				for _, ended := range one.Results {
					kept := &result{
						operation: ended.Operation, tick: one.Tick, startNS: ended.StartNS, endNS: ended.EndNS,
					}
					if ended.Answer != nil {
						kept.answer = func() any { return ended.Answer }
					}
					results = append(results, kept)
				}
				err = asked.end(asked.lane(one.Lane), results...)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if _, _, err := answers.close(); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var found []map[string]any
		for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
			var one map[string]any
			decode(t, []byte(line), &one)
			delete(one, "pause")
			delete(one, "records")
			found = append(found, one)
		}
		if !reflect.DeepEqual(found, played.Lines) {
			t.Errorf("%s: %v, not %v", played.Name, found, played.Lines)
		}
		lines += len(found)
	}
	if lines != 14 {
		t.Errorf("%d lines", lines)
	}
}
