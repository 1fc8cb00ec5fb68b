package main

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"wirelab.dev/sdk"
)

func text(value string) json.RawMessage {
	quoted, _ := json.Marshal(value)
	return quoted
}

func step(first, lanes int64, parameters map[string]json.RawMessage) sdk.Step {
	return sdk.Step{
		Name: "s", First: first, Count: 8, Settle: 3, Users: lanes, Lanes: lanes, Parameters: parameters,
	}
}

func specOf(steps ...sdk.Step) *sdk.Spec {
	return &sdk.Spec{
		Parameters: map[string]json.RawMessage{
			"http_path": text("/predict?mode={mode}&request={request}&keys={keys}"),
			"mode":      text("single"), "keys": json.RawMessage("200"),
		},
		Endpoints: map[string]string{"server": "127.0.0.1:1", "app": "http://127.0.0.1:2"},
		Facts:     map[string]map[string]any{"server": {}, "app": {"protocol": "http"}},
		Operations: map[string]sdk.Operation{
			"request": {Code: 1, Every: 1}, "keys": {Record: "intervals"},
			"server-time": {Record: "intervals"}, "http": {Record: "intervals"},
		},
		Schedule: sdk.Schedule{Loop: "closed", PeriodNS: second, Steps: steps},
		Verify:   sdk.Verify{Ticks: map[string][]int64{"request": {4, 13}}},
		Limits:   sdk.Limits{OperationNS: 10 * second},
	}
}

func TestNumbersAreThoseOfTheEngine(t *testing.T) {
	// The first two numbers of splitmix64 whose state begins at 0.
	if mix(0) != 0xE220A8397B1DCDAF || mix(0x9E3779B97F4A7C15) != 0x6E789E6AA1B965F4 {
		t.Errorf("%x, %x", mix(0), mix(0x9E3779B97F4A7C15))
	}
	r := requests{count: 1000}
	if r.number(3, 2) != int(mix(3*65_536+2)%1000) {
		t.Errorf("number %d", r.number(3, 2))
	}
}

func TestEveryLaneAndTickHasItsURL(t *testing.T) {
	gather := map[string]json.RawMessage{"mode": text("gather"), "requests": json.RawMessage("16")}
	p, err := planOf(specOf(step(0, 2, nil), step(8, 5, gather)))
	if err != nil {
		t.Fatal(err)
	}
	first, other := p.step(0, "b"), p.step(1, "b")
	if len(first.URLs) != 64 || first.URLs[17] != "http://127.0.0.1:2/predict?mode=single&request=17&keys=200" {
		t.Errorf("%d URLs, such as %s", len(first.URLs), first.URLs[17])
	}
	if len(other.URLs) != 16 || other.URLs[3] != "http://127.0.0.1:2/predict?mode=gather&request=3&keys=200" {
		t.Errorf("%d URLs, such as %s", len(other.URLs), other.URLs[3])
	}
	if len(other.numbers) != 5 || len(other.numbers[4]) != 8 || other.numbers[4][7] != int(mix(15<<16|4)%16) {
		t.Errorf("numbers %v", other.numbers)
	}
	// The tick asks for the lane of its number.
	if !reflect.DeepEqual(first.Verified, map[string]int64{"4": 0}) ||
		!reflect.DeepEqual(other.Verified, map[string]int64{"13": 3}) {
		t.Errorf("verified %v, %v", first.Verified, other.Verified)
	}
	// Eight ticks of a second, and a limit for settling and one for the rest.
	if first.MostMS != 8_000+2*10_000+ownEndMS {
		t.Errorf("at most %d ms", first.MostMS)
	}
}

func TestSpansHaveTheNamesOfTheHeader(t *testing.T) {
	p, err := planOf(specOf(step(0, 2, nil)))
	if err != nil {
		t.Fatal(err)
	}
	if !p.withHTTP || !reflect.DeepEqual(p.spans, map[string]string{"keys": "keys", "total": "server-time"}) {
		t.Errorf("%v, http %v", p.spans, p.withHTTP)
	}
}

func TestWhatK6CannotDoIsRefused(t *testing.T) {
	spoil := map[string]func(*sdk.Spec){
		"closed loops":   func(s *sdk.Spec) { s.Schedule.Loop = "open" },
		"with steps":     func(s *sdk.Spec) { s.Schedule.Steps = nil },
		"http_body":      func(s *sdk.Spec) { s.Parameters["http_body"] = text("{}") },
		"http_method":    func(s *sdk.Spec) { s.Parameters["http_method"] = text("PUT") },
		"operation join": func(s *sdk.Spec) { s.Operations["join"] = sdk.Operation{Due: "join"} },
	}
	for words, change := range spoil {
		spec := specOf(step(0, 2, nil))
		change(spec)
		_, err := planOf(spec)
		var fault sdk.Fault
		if !errors.As(err, &fault) || fault.Status != "unsupported" || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v", words, err)
		}
	}
}

func TestBrokenSpecsAreNamed(t *testing.T) {
	spoil := map[string]func(*sdk.Spec){
		"of one role":   func(s *sdk.Spec) { delete(s.Facts["app"], "protocol") },
		"{user}":        func(s *sdk.Spec) { s.Parameters["http_path"] = text("/{user}") },
		"http_path":     func(s *sdk.Spec) { s.Parameters["http_path"] = text("no/slash") },
		"requests is 0": func(s *sdk.Spec) { s.Parameters["requests"] = json.RawMessage("0") },
		"70000 lanes":   func(s *sdk.Spec) { s.Schedule.Steps[0].Lanes = 70_000 },
		"that counts":   func(s *sdk.Spec) { s.Schedule.Steps[0].Settle = 8 },
		"has no":        func(s *sdk.Spec) { delete(s.Operations, "request") },
	}
	for words, change := range spoil {
		spec := specOf(step(0, 2, nil))
		change(spec)
		if _, err := planOf(spec); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v", words, err)
		}
	}
}
