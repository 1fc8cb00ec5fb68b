package opcua

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"wirelab.dev/sdk"
)

func specOf(reads, writes int64, parameters map[string]json.RawMessage) *sdk.Spec {
	return &sdk.Spec{Parameters: parameters, Operations: map[string]sdk.Operation{
		"read": {Code: 1, Items: reads}, "write": {Code: 2, Items: writes},
	}}
}

// Expected values are those of the suite's README, worked out by hand.
func TestTagsAreThoseOfTheReadme(t *testing.T) {
	nodeLists, err := nodeListsOf(specOf(2000, 200, nil))
	if err != nil || len(nodeLists.Reads) != 2000 || len(nodeLists.Writes) != 200 {
		t.Fatal(len(nodeLists.Reads), len(nodeLists.Writes), err)
	}
	if nodeLists.Reads[1999] != "ns=1;s=T1999" || nodeLists.Writes[199] != "ns=1;s=T1990" {
		t.Error(nodeLists.Reads[1999], nodeLists.Writes[199])
	}
	// (1000 × 7919 + 3 × 104729), and the same of tag 1800.
	found := []any{tagValue(1, 0), tagValue(1000, 3), tagValue(1800, 0)}
	if !slices.Equal(found, []any{int32(7919), 8233.187, "tag1800-0014254200"}) {
		t.Error(found)
	}
	if sequenceOf(sdk.Preflight, 2) != 900_002 || sequenceOf(sdk.Measure, 7) != 1_000_007 {
		t.Error("sequences are not those of the README")
	}
}

func TestProbesChangeOneItem(t *testing.T) {
	of := func(probe string) *NodeLists {
		nodeLists, err := nodeListsOf(specOf(10, 10, map[string]json.RawMessage{"probe": json.RawMessage(probe)}))
		if err != nil {
			t.Fatal(err)
		}
		return nodeLists
	}
	unknown, wrong := of(`"unknown-node"`), of(`"wrong-type"`)
	if unknown.Reads[3] != unknownNode || unknown.Reads[2] != "ns=1;s=T0002" {
		t.Error(unknown.Reads)
	}
	if wrong.Value(0, 1) != "not an Int32" || wrong.Value(1, 0) != int32(79190) {
		t.Error(wrong.Value(0, 1), wrong.Value(1, 0))
	}
}

func TestMoreItemsThanThereAreTagsAreRefused(t *testing.T) {
	if _, err := nodeListsOf(specOf(2001, 0, nil)); err == nil {
		t.Error("2001 tags are read")
	}
	if _, err := nodeListsOf(specOf(1, 201, nil)); err == nil {
		t.Error("201 tags are written")
	}
}

func said(t *testing.T, outcome sdk.Outcome) string {
	t.Helper()
	text, err := json.Marshal(outcome.Answer())
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestAnAnswerLeavesOutWhatIsBad(t *testing.T) {
	nodeLists, err := nodeListsOf(specOf(3, 2, nil))
	if err != nil {
		t.Fatal(err)
	}
	values := []any{int32(1), "kept where it is bad", 0.5}
	bad := []BadItem{{1, "ua.StatusCode", "StatusBadNodeIDUnknown", "BadNodeIdUnknown", "no such node"}}
	outcome := nodeLists.read(Results{3, bad, func(i int) any { return values[i] }})
	if outcome.Status != sdk.ItemError || len(outcome.Items) != 1 {
		t.Errorf("%+v", outcome)
	}
	if text := said(t, outcome); text != `{"bad":[[1,"BadNodeIdUnknown"]],"values":[1,null,0.5]}` {
		t.Error(text)
	}
	if text := said(t, nodeLists.written(Results{Count: 2}, 1_000_007)); text != `{"bad":[],"sequence":1000007}` {
		t.Error(text)
	}
	if outcome := nodeLists.written(Results{Count: 1}, 1); outcome.Status != sdk.WrongAnswer {
		t.Errorf("one result of two: %+v", outcome)
	}
}

func TestOfAServerOfTheUsersOwnValuesAreCounted(t *testing.T) {
	list := filepath.Join(t.TempDir(), "nodes.txt")
	if err := os.WriteFile(list, []byte("i=2258\nns=2;s=Speed\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	spec := specOf(2, 0, nil)
	spec.Facts = map[string]map[string]any{"server": {"node_list": list}}
	nodeLists, err := nodeListsOf(spec)
	if err != nil || !slices.Equal(nodeLists.Reads, []string{"i=2258", "ns=2;s=Speed"}) {
		t.Fatal(nodeLists, err)
	}
	values := []any{int32(1), nil}
	text := said(t, nodeLists.read(Results{2, nil, func(i int) any { return values[i] }}))
	if text != `{"bad":[],"valued":1}` {
		t.Error(text)
	}
}

// failing is a session that is of no use any more.
type failing struct {
	Session
	err error
}

func (f failing) Read(context.Context) (Results, error) { return Results{}, f.err }

func TestAReadThatFailsIsRecordedByWhatTheLibraryMeans(t *testing.T) {
	closed := errors.New("the session is closed")
	of := client{errors: sdk.Errors{Disconnected: []error{closed}}}
	call := &sdk.Call{}
	outcome := of.read(context.Background(), failing{err: closed}, call)
	if outcome.Status != sdk.Disconnected || outcome.Fault.Message != closed.Error() || call.EndNS() == 0 {
		t.Errorf("%+v, ended at %d", outcome, call.EndNS())
	}
}

func TestAChangeIsWholeWhenEveryTagHasCome(t *testing.T) {
	changes := newChanges(2)
	first := changes.await(0)
	changes.Put(0, Reading{Value: "a"})
	changes.Put(0, Reading{Value: "b"})
	if len(first) != 0 {
		t.Fatal("half a change is told of")
	}
	changes.Put(1, Reading{Value: "x"})
	// What came again before the others is of the change after.
	changes.putAll([]Reading{{Value: "c"}, {Value: "y"}})
	waiting := changes.await(2)
	changes.Fail(os.ErrDeadlineExceeded)
	for number, told := range []<-chan change{first, changes.await(1)} {
		expected := [][]Reading{{{Value: "b"}, {Value: "x"}}, {{Value: "c"}, {Value: "y"}}}[number]
		if found := <-told; !slices.Equal(found.readings, expected) {
			t.Errorf("change %d: %v", number, found)
		}
	}
	if found := <-waiting; found.err == nil || found.readings != nil {
		t.Error(found)
	}
}

func TestWhatIsWatchedIsAnsweredAsWhatIsRead(t *testing.T) {
	spec := specOf(0, 0, nil)
	spec.Operations["notification"] = sdk.Operation{Code: 5, Items: 2}
	nodeLists, err := nodeListsOf(spec)
	if err != nil || !slices.Equal(nodeLists.Watched, []string{"ns=1;s=T0000", "ns=1;s=T0001"}) {
		t.Fatal(nodeLists, err)
	}
	bad := &BadItem{Class: "ua.StatusCode", Name: "BadNodeIdUnknown"}
	outcome := nodeLists.changed([]Reading{{Value: int32(1)}, {Value: 2, Bad: bad}})
	if text := said(t, outcome); text != `{"bad":[[1,"BadNodeIdUnknown"]],"values":[1,null]}` {
		t.Error(text)
	}
}
