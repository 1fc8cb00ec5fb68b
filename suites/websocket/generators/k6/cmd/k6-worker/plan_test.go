package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"wirelab.dev/sdk"
)

func specOf(steps ...sdk.Step) *sdk.Spec {
	return &sdk.Spec{
		Seed:      4711,
		Endpoints: map[string]string{"server": "ws://127.0.0.1:1/board"},
		Facts:     map[string]map[string]any{"server": {"protocol": "json"}},
		Schedule: sdk.Schedule{
			PeriodNS: second, Count: 16, Cycle: sdk.Cycle{Length: 1, Active: 1}, Steps: steps,
		},
		Verify: sdk.Verify{
			Preflight: map[string]int64{"rtt": 3},
			Ticks:     map[string][]int64{"rtt": {3, 12}},
		},
		Limits: sdk.Limits{OperationNS: 5 * second},
	}
}

func step(first, settle, users int64) sdk.Step {
	return sdk.Step{
		Name: "s", First: first, Count: 8, Settle: settle, Users: users, Lanes: users, JoinNS: second,
	}
}

func TestTheRuleByAnExampleThatTheEngineHasToo(t *testing.T) {
	example, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "..", "..", "crates", "engine", "tests", "example-draw.json"))
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("needs the engine's sources: crates/engine/tests/example-draw.json is not there")
	}
	if err != nil {
		t.Fatal(err)
	}
	if text := drawText(4711, "b0007", 123, 17, 130); text != strings.TrimSpace(string(example)) {
		t.Errorf("got %s", text)
	}
	if text := drawText(1, "b0000", 0, 0, 10); !strings.HasSuffix(text, `,"pad":""}`) {
		t.Errorf("got %s", text)
	}
}

func TestStepsBecomeGroupsThatStay(t *testing.T) {
	p, err := planOf(specOf(step(0, 2, 100), step(8, 3, 120)))
	if err != nil {
		t.Fatal(err)
	}
	groups := []group{
		{From: 0, Users: 100, JoinAtMS: 0, JoinMS: 1000, SendAtMS: 2000},
		{From: 100, Users: 20, JoinAtMS: 8000, JoinMS: 1000, SendAtMS: 11000},
	}
	if !reflect.DeepEqual(p.Groups, groups) || p.EndMS != 16000 || p.Boards != 3 {
		t.Errorf("got %+v, end %v, %d boards", p.Groups, p.EndMS, p.Boards)
	}
	if at := p.joinNS(110); at != 8*second+second/2 {
		t.Errorf("user 110 joins at %d", at)
	}
}

func TestVerifiedTicksNameAUserAndANumber(t *testing.T) {
	p, err := planOf(specOf(step(0, 2, 100), step(8, 3, 120)))
	if err != nil {
		t.Fatal(err)
	}
	// The tick asks for the lane of its number; users of the first step send from tick 2 on.
	if got := p.Verified["3"]["1"]; !strings.Contains(got, `"board":"b0000","user":3,"seq":1,`) {
		t.Errorf("tick 3: %v", p.Verified)
	}
	if got := p.Verified["12"]["10"]; !strings.Contains(got, `"user":12,"seq":10,`) {
		t.Errorf("tick 12: %v", p.Verified)
	}
	users := []int64{}
	for _, draw := range p.Preflight {
		users = append(users, draw.User, draw.Seq)
	}
	if !reflect.DeepEqual(users, []int64{0, 0, 1, 0, 0, 1}) {
		t.Errorf("preflight %v", p.Preflight)
	}
}

func TestWhatK6CannotDoIsRefused(t *testing.T) {
	spoil := map[string]func(*sdk.Spec){
		"protocol":  func(s *sdk.Spec) { s.Facts["server"]["protocol"] = "stomp" },
		"by steps":  func(s *sdk.Spec) { s.Schedule.Steps = nil },
		"every per": func(s *sdk.Spec) { s.Schedule.Cycle.Length = 2 },
		"all send":  func(s *sdk.Spec) { s.Schedule.Steps[0].Lanes = 10 },
		"leaves":    func(s *sdk.Spec) { s.Schedule.Steps = append(s.Schedule.Steps, step(8, 0, 50)) },
		"again":     func(s *sdk.Spec) { s.Parameters = map[string]json.RawMessage{"reconnect": json.RawMessage("true")} },
	}
	for words, change := range spoil {
		spec := specOf(step(0, 2, 100))
		change(spec)
		_, err := planOf(spec)
		var fault sdk.Fault
		if !errors.As(err, &fault) || fault.Status != "unsupported" || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v", words, err)
		}
	}
	spec := specOf(step(0, 2, 70_000))
	if _, err := planOf(spec); err == nil {
		t.Error("70,000 users were taken")
	}
}
