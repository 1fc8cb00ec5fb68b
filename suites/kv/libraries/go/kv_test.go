package kv

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"wirelab.dev/sdk"
)

var some = Row{
	C: [Integers]int64{1, -2, 3, 4, 5}, D: [Doubles]float64{0.5, 0.25, 0, -1, 2, 3, 4, math.MaxFloat64},
}

// Expected values are those of the suite's verifier.
func TestKeysAreDrawnAsTheReadmeSays(t *testing.T) {
	asked := draw{set: 3, keys: 4, universe: 10000}
	if keys := asked.multiGet(4711, 17); !slices.Equal(keys, []string{"k2793", "k9144", "k8726", "k3422"}) {
		t.Errorf("drawn %v", keys)
	}
	asked.repeated = true
	if keys := asked.multiGet(4711, 17); !slices.Equal(keys, slices.Repeat([]string{"k2793"}, 4)) {
		t.Errorf("repeated %v", keys)
	}
	if found := [3]uint64{multiGetOf(0, 0), multiGetOf(0, 1), multiGetOf(7, 9)}; found != [3]uint64{47, 1, 35} {
		t.Errorf("multi-gets %v", found)
	}
}

func TestTheChecksumIsTheReadmes(t *testing.T) {
	if sum := (Rows{&some, nil}).checksum(); sum != 0xc25d78de1d513560 {
		t.Errorf("%x", sum)
	}
	if (Rows{nil, &some}).checksum() == (Rows{&some, nil}).checksum() {
		t.Error("rows in each other's place are the same")
	}
	if sum := (Rows{}).checksum(); sum != 0 {
		t.Errorf("%x of nothing", sum)
	}
}

func TestAPackedRowComesBack(t *testing.T) {
	packed := make([]byte, 0, packedSize)
	word := func(bits uint64) {
		for shift := 0; shift < 64; shift += 8 {
			packed = append(packed, byte(bits>>shift))
		}
	}
	for _, value := range some.C {
		word(uint64(value))
	}
	for _, value := range some.D {
		word(math.Float64bits(value))
	}
	var fromBytes, fromText Row
	if err := errors.Join(Unpack(packed, &fromBytes), Unpack(string(packed), &fromText)); err != nil {
		t.Error(err)
	}
	if fromBytes != some || fromText != some {
		t.Errorf("%v, %v", fromBytes, fromText)
	}
	if Unpack(packed[1:], &fromBytes) == nil {
		t.Error("103 bytes are taken")
	}
}

// fake gives every time what it holds.
type fake struct {
	rows Rows
	err  error
}

func (f *fake) Read(context.Context, int) (Rows, error) { return f.rows, f.err }
func (f *fake) Close() error                            { return nil }

var errGone = errors.New("gone")

// contending is a contender with a store, which is connected in as many attempts.
func contending(store Store[int], attempts int) *Contender[int] {
	return &Contender[int]{
		Prepare: func(_ int64, keys []string) (int, error) { return len(keys), nil },
		Connect: func(_ context.Context, address string, _ *sdk.Spec) (Store[int], error) {
			if address != "127.0.0.1:1" {
				return nil, fmt.Errorf("connecting to %q", address)
			}
			if attempts--; attempts > 0 {
				return nil, errGone
			}
			return store, nil
		},
		Errors: sdk.Errors{Refused: []error{errGone}},
	}
}

// specOf has steps of its own, or none, and says when to connect.
func specOf(connect string, steps ...sdk.Step) *sdk.Spec {
	return &sdk.Spec{
		Endpoints:  map[string]string{"server": "redis://127.0.0.1:1"},
		Parameters: map[string]json.RawMessage{"connect": json.RawMessage(connect)},
		Schedule:   sdk.Schedule{Steps: steps},
	}
}

func connected(t *testing.T, spec *sdk.Spec, contender *Contender[int]) *connection[int] {
	t.Helper()
	made, err := connectionOf(spec, contender)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func TestEveryReadIsCheckedAgainstTheFirst(t *testing.T) {
	step := sdk.Step{Name: "s", Parameters: map[string]json.RawMessage{"keys": json.RawMessage("2")}}
	spec := specOf(`"before"`, step)
	store := &fake{rows: Rows{&some, nil}}
	contender := contending(store, 1)
	reader, err := newReader(spec, contender, connected(t, spec, contender))
	if err != nil {
		t.Fatal(err)
	}
	read := func() sdk.Outcome {
		return reader.read(context.Background(), &sdk.Call{Step: &step, Tick: 7, Lane: 9})
	}
	first := read()
	answer := Answer{MultiGet: 35, Set: 1, Keys: 2, Found: 1, Checksum: "c25d78de1d513560"}
	if first.Status != sdk.OK || first.Size != 1 || first.Answer() != any(answer) {
		t.Errorf("%+v", first)
	}
	other := some
	other.C[0]++
	for _, rows := range []Rows{{&other, nil}, {nil, nil}, {&some}} {
		store.rows = rows
		if outcome := read(); outcome.Status != sdk.WrongAnswer || outcome.Answer != nil {
			t.Errorf("%v: %+v", rows, outcome)
		}
	}
	store.err = errGone
	if outcome := read(); outcome.Status != sdk.Refused || outcome.Fault.Message != "gone" {
		t.Errorf("%+v", outcome)
	}
	store.err = context.DeadlineExceeded
	if outcome := read(); outcome.Status != sdk.Timeout {
		t.Errorf("%+v", outcome)
	}
}

func TestRecordsThatAServerHasForgottenAreMissingAndNotWrong(t *testing.T) {
	step := sdk.Step{Name: "s", Parameters: map[string]json.RawMessage{"keys": json.RawMessage("2")}}
	spec := specOf(`"before"`, step)
	spec.Facts = map[string]map[string]any{"server": {"forgets": true}}
	store := &fake{}
	contender := contending(store, 1)
	reader, err := newReader(spec, contender, connected(t, spec, contender))
	if err != nil {
		t.Fatal(err)
	}
	other := some
	other.C[0]++
	for number, one := range []struct {
		rows   Rows
		status uint8
	}{
		{Rows{&some, nil}, sdk.OK}, // of a cache that is being filled
		{Rows{&some, &some}, sdk.OK},
		{Rows{&some, nil}, sdk.ItemError},
		{Rows{&some, &other}, sdk.WrongAnswer},
		{Rows{&some, &some}, sdk.OK},
	} {
		store.rows = one.rows
		outcome := reader.read(context.Background(), &sdk.Call{Step: &step, Tick: 7, Lane: 9})
		if outcome.Status != one.status {
			t.Errorf("%d: %+v", number, outcome)
		}
	}
}

// pinged has to be used before it is connected.
type pinged struct {
	fake
	pings int
}

func (p *pinged) Ping(context.Context) error {
	p.pings++
	return p.err
}

func TestWhoIsNotConnectedConnectsWithTheNextCall(t *testing.T) {
	store := &pinged{fake: fake{rows: Rows{&some}}}
	contender := contending(store, 3)
	step := sdk.Step{Name: "s", Parameters: map[string]json.RawMessage{"keys": json.RawMessage("1")}}
	spec := specOf(`"timed"`, step)
	reader, err := newReader(spec, contender, connected(t, spec, contender))
	if err != nil {
		t.Fatal(err)
	}
	var statuses []uint8
	for range 4 {
		statuses = append(statuses, reader.read(context.Background(), &sdk.Call{Step: &step}).Status)
	}
	if !slices.Equal(statuses, []uint8{sdk.Refused, sdk.Refused, sdk.OK, sdk.OK}) || store.pings != 0 {
		t.Errorf("%v, %d pings", statuses, store.pings)
	}
}

func TestWhereConnectingIsNotTimedItHappensBefore(t *testing.T) {
	store, spec := &pinged{}, specOf(`"before"`)
	contender := contending(store, 2)
	var errs []error
	for range 2 {
		_, err := connectionOf(spec, contender)
		errs = append(errs, err)
	}
	if !slices.Equal(errs, []error{errGone, nil}) || store.pings != 1 {
		t.Errorf("%v, %d pings", errs, store.pings)
	}
	store.err = errGone
	if _, err := connectionOf(spec, contender); err != errGone {
		t.Error(err)
	}
	if _, err := connectionOf(spec, contending(&fake{}, 1)); err != nil {
		t.Errorf("without a ping: %v", err)
	}
}

func TestWhatCannotBeReadIsRefused(t *testing.T) {
	for name, text := range map[string]string{"keys": "0", "set": `"one"`, "keys_are": `"sorted"`} {
		spec := specOf(`"timed"`)
		spec.Parameters[name] = json.RawMessage(text)
		contender := contending(&fake{}, 1)
		if _, err := newReader(spec, contender, connected(t, spec, contender)); err == nil {
			t.Errorf("%s = %s is taken", name, text)
		}
	}
}

func TestEndpointsMayHaveAScheme(t *testing.T) {
	for _, given := range []string{"127.0.0.1:1", "redis://127.0.0.1:1", "redis://127.0.0.1:1/"} {
		spec := &sdk.Spec{Endpoints: map[string]string{"server": given}}
		if found, err := addressOf(spec); found != "127.0.0.1:1" || err != nil {
			t.Errorf("%s: %s, %v", given, found, err)
		}
	}
	if _, err := addressOf(&sdk.Spec{}); err == nil || !strings.Contains(err.Error(), "server") {
		t.Errorf("none: %v", err)
	}
}
