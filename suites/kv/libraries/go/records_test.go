package kv

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"wirelab.dev/sdk"
)

const four = `{"records": 4, "first": [0, 1, 2, 3],
	"until": [1099511627776, 1653091295746, 2023643827083, 2302358886614]}`

// table is a store in memory; what is wrong with it is said by fault.
type table struct {
	fake
	mutex sync.Mutex
	rows  map[string][][]byte
	fault string
}

func newTable(fault string) *table {
	t := &table{rows: make(map[string][][]byte), fault: fault}
	for record := range int64(4) {
		for field := range fields {
			// A client knows the head alone of what was loaded.
			value := string(valueOf(record, field, 0)[:headBytes]) + strings.Repeat("0", fieldBytes-headBytes)
			t.rows[nameOfUser(record)] = append(t.rows[nameOfUser(record)], []byte(value))
		}
	}
	return t
}

func (t *table) ReadRecord(_ context.Context, key string) ([][]byte, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.fault == "torn" {
		return slices.Concat(t.rows[key][1:], t.rows[key][:1]), nil
	}
	return slices.Clone(t.rows[key]), nil
}

func (t *table) WriteRecord(_ context.Context, key string, from int, values [][]byte) error {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.rows[key] == nil {
		return errors.New("no such record")
	}
	if t.fault != "dropped" {
		copy(t.rows[key][from:], values)
	}
	return nil
}

func (t *table) InsertRecord(_ context.Context, key string, values [][]byte) error {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.rows[key] != nil {
		return errors.New("there already")
	}
	t.rows[key] = values
	return nil
}

func (t *table) ModifyRecord(_ context.Context, key string, from int, values [][]byte) ([][]byte, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	found := slices.Clone(t.rows[key])
	copy(t.rows[key][from:], values)
	return found, nil
}

// wholeTable is one whose database knows no fields.
type wholeTable struct{ *table }

func (wholeTable) HasWholeRecords() {}

func recordsOf(t *testing.T, fault string) *records {
	t.Helper()
	return recordsIn(t, newTable(fault))
}

func recordsIn(t *testing.T, store Store[int]) *records {
	t.Helper()
	var facts map[string]any
	if err := json.Unmarshal([]byte(four), &facts); err != nil {
		t.Fatal(err)
	}
	spec := specOf(`"before"`)
	spec.Seed, spec.Facts = 4711, map[string]map[string]any{"server": {"popularity": facts}}
	contender := contending(store, 1)
	made, err := newRecords(spec, contender, connected(t, spec, contender))
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// Expected values are those of the harness in Python, which the suite's verifier agrees with.
func TestRecordsAreDrawnAsTheReadmeSays(t *testing.T) {
	table := recordsOf(t, "").popularity
	for _, given := range []struct {
		workload          string
		tick, lane        int64
		drawn             drawn
		newest, recordDue int64
	}{
		{"a", 0, 0, drawn{updateKind, 0, 9}, 9, 3},
		{"f", 1, 2, drawn{modifyKind, 0, 0}, 9, 3},
		{"f", 2, 2, drawn{readKind, 2, 5}, 9, 2},
		{"d", 33, 0, drawn{readKind, 3, 5}, 9, 6},
		{"d", 20, 0, drawn{insertKind, 1, 5}, 9, 8},
	} {
		found := table.at(given.workload, 4711, given.tick, given.lane)
		record := table.record(given.workload, found.rank, given.newest)
		if found != given.drawn || record != given.recordDue {
			t.Errorf("%+v: %+v, record %d", given, found, record)
		}
	}
}

func TestAFieldSaysWhoWroteIt(t *testing.T) {
	if name := nameOfUser(7); name != "user07191089600892374487" {
		t.Error(name)
	}
	written := valueOf(7, 3, 12)
	const right = "0000000000073000000000012udkbbytiqqfqhnblchdlwdqcaymwpljrzovlkpbyuetnfdkpyikkcazsdaaglhvhqlvvtucsjei"
	if string(written) != right {
		t.Errorf("%s", written)
	}
	head := append(slices.Clone(valueOf(7, 3, 0)[:headBytes]), make([]byte, fieldBytes-headBytes)...)
	found := []int64{
		sequenceOf(written, 7, 3, 8), sequenceOf(head, 7, 3, 8), // of a record that was loaded
		sequenceOf(head, 7, 3, 7), sequenceOf(written, 7, 4, 8), sequenceOf(written[1:], 7, 3, 8),
	}
	if !slices.Equal(found, []int64{12, 0, nobody, nobody, nobody}) {
		t.Errorf("%v", found)
	}
}

func TestEveryWorkloadFindsWhatWasWritten(t *testing.T) {
	for name, store := range map[string]Store[int]{"fields": newTable(""), "whole": wholeTable{newTable("")}} {
		t.Run(name, func(t *testing.T) { everyWorkload(t, recordsIn(t, store)) })
	}
}

func everyWorkload(t *testing.T, records *records) {
	kinds := make(map[kind]int)
	var counting sync.Mutex
	for _, workload := range []string{"a", "b", "c", "f", "d"} {
		var lanes sync.WaitGroup
		for lane := range int64(8) {
			lanes.Go(func() {
				for tick := range int64(100) {
					due := records.prepare(workload, tick, lane)
					found, err := records.do(context.Background(), &due)
					if outcome := records.judge(&due, found); err != nil || outcome.Status != sdk.OK {
						t.Errorf("%s %d %d: %v %+v", workload, tick, lane, err, outcome.Fault)
					}
					counting.Lock()
					kinds[due.kind]++
					counting.Unlock()
				}
			})
		}
		lanes.Wait()
	}
	if len(kinds) != 4 || kinds[readKind]+kinds[updateKind]+kinds[insertKind]+kinds[modifyKind] != 4000 {
		t.Errorf("%v", kinds)
	}
}

// done performs what is drawn for a tick of lane 0.
func (r *records) done(workload string, tick int64) sdk.Outcome {
	due := r.prepare(workload, tick, 0)
	found, _ := r.do(context.Background(), &due)
	return r.judge(&due, found)
}

func TestWhatIsNotWhatWasWrittenIsAWrongAnswer(t *testing.T) {
	for fault, workload := range map[string]string{"torn": "c", "dropped": "a"} {
		records := recordsOf(t, fault)
		wrong := 0
		for tick := range int64(50) {
			if outcome := records.done(workload, tick); outcome.Status == sdk.WrongAnswer {
				wrong++
			}
		}
		if wrong == 0 {
			t.Errorf("%s: nothing is wrong", fault)
		}
	}
}

func TestAChangeOfAWholeRecordReplacesAllFields(t *testing.T) {
	for store, written := range map[Store[int]]int{newTable(""): 1, wholeTable{newTable("")}: fields} {
		records := recordsIn(t, store)
		due := records.prepare("f", 1, 2)
		if due.kind != modifyKind || len(due.values) != written {
			t.Errorf("%s of %d fields, %d expected", due.kind, len(due.values), written)
		}
		found, err := records.do(context.Background(), &due)
		if outcome := records.judge(&due, found); err != nil || outcome.Status != sdk.OK {
			t.Errorf("%v %+v", err, outcome.Fault)
		}
		after, _ := records.store.ReadRecord(context.Background(), due.key)
		replaced := 0
		for field, value := range after {
			if sequenceOf(value, due.record, field, 4) == due.sequence {
				replaced++
			}
		}
		if replaced != written {
			t.Errorf("%d fields were replaced, %d expected", replaced, written)
		}
	}
}

func TestTwoChangesOfOneValueAreAWrongAnswer(t *testing.T) {
	records := recordsOf(t, "")
	var two []task
	for tick := int64(0); len(two) < 2; tick++ {
		due := records.popularity.at("f", 4711, tick, 0)
		if due.kind == modifyKind && (len(two) == 0 || due.rank == two[0].rank && due.field == two[0].field) {
			two = append(two, records.prepare("f", tick, 0))
		}
	}
	// Both read what was loaded, and the second one replaces what the first one wrote.
	found, _ := records.store.ReadRecord(context.Background(), two[0].key)
	statuses := []uint8{records.judge(&two[0], found).Status, records.judge(&two[1], found).Status}
	if !slices.Equal(statuses, []uint8{sdk.OK, sdk.WrongAnswer}) {
		t.Errorf("%v", statuses)
	}
}

func TestAClientWithoutRecordsSaysSo(t *testing.T) {
	spec, contender := specOf(`"before"`), contending(&fake{}, 1)
	_, err := newRecords(spec, contender, connected(t, spec, contender))
	if err == nil || !strings.Contains(err.Error(), "no records") {
		t.Errorf("%v", err)
	}
}
