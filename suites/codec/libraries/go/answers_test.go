package codec

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// lines are those that the answers file would have.
type lines [][]byte

func (l *lines) Add(answer any) error {
	line, err := json.Marshal(answer)
	*l = append(*l, line)
	return err
}

// answered gives the preflight of a codec for lists of strings.
func answered(t *testing.T, kept bool, made NativeCodec[T4]) []answerLine {
	t.Helper()
	pool, err := readPool[T4](suite, "T4")
	if err != nil {
		t.Fatal(err)
	}
	var file lines
	shape := Native(func() NativeCodec[T4] { return made }).open(pool, FoldT4, kept)
	if err := (&preflight{shape: shape, step: "T4", kept: kept, answers: &file}).give(); err != nil {
		t.Fatal(err)
	}
	var answers []answerLine
	for _, line := range file {
		var answer answerLine
		if err := json.Unmarshal(line, &answer); err != nil {
			t.Fatal(err)
		}
		answers = append(answers, answer)
	}
	return answers
}

func valuesOf(answers []answerLine) (values []string) {
	for _, answer := range answers {
		if answer.Operation == decode && answer.Error == nil {
			list := answer.Answer.(map[string]any)["value"].([]any)
			values = append(values, list[0].(string))
		}
	}
	return values
}

func encodeJSON(value *T4) ([]byte, error) { return json.Marshal(value) }

func decodeJSON(encoded []byte) (value T4, err error) {
	err = json.Unmarshal(encoded, &value)
	return value, err
}

func TestThePreflightHasEveryAnswerTwiceAndThenTheValues(t *testing.T) {
	answers := answered(t, false, NativeCodec[T4]{Encode: encodeJSON, Decode: decodeJSON})
	if len(answers) != 3*16 {
		t.Fatal(len(answers), "answers")
	}
	for tick := range 16 {
		once, again := answers[tick], answers[31-tick]
		if once.Tick != tick || again.Tick != 31-tick {
			t.Errorf("ticks %d and %d", once.Tick, again.Tick)
		}
		if once.Answer.(map[string]any)["hex"] != again.Answer.(map[string]any)["hex"] {
			t.Errorf("instance %d differs", tick)
		}
	}
	if first := valuesOf(answers)[0]; first != "Please Let test this" {
		t.Error(first)
	}
}

// A decoder that keeps its value shows, unless it says that it does.
func TestAValueThatIsUsedAgainShows(t *testing.T) {
	shared := make(T4, 8)
	codec := NativeCodec[T4]{Encode: encodeJSON, Decode: func(encoded []byte) (T4, error) {
		shared = shared[:8]
		err := json.Unmarshal(encoded, &shared)
		return shared, err
	}}
	fresh, kept := valuesOf(answered(t, false, codec)), valuesOf(answered(t, true, codec))
	if len(slices.Compact(slices.Clone(fresh))) != 1 {
		t.Error("the last value should have been everybody's")
	}
	if kept[0] != "Please Let test this" || kept[0] == kept[1] {
		t.Error(kept)
	}
}

func TestADecoderThatPanicsHasRejected(t *testing.T) {
	answers := answered(t, false, NativeCodec[T4]{Encode: encodeJSON, Decode: func([]byte) (T4, error) {
		panic("no")
	}})
	last := answers[len(answers)-1]
	if last.Error == nil || last.Error.Class != "panic string" || last.Error.Message != "no" {
		t.Errorf("%+v", last.Error)
	}
}

func TestNilListsAreEmptyOnes(t *testing.T) {
	for want, value := range map[string]any{
		"[]":             T3(nil),
		`{"a":[]}`:       T5{"a": nil},
		`{"points":[]}`:  Telemetry{},
		`"{Points:[{Ti`:  Telemetry{Points: []Point{{Value: inf()}}},
		`{"id":"","sent`: Chat{},
	} {
		neutral, err := neutralJSON(value)
		if err != nil || !strings.HasPrefix(string(neutral), want) || strings.Contains(string(neutral), "null") {
			t.Errorf("%s, %v", neutral, err)
		}
	}
}

func inf() float64 {
	zero := 0.0
	return 1 / zero
}
