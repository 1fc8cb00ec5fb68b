package sdk

import (
	"reflect"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

func TestEachCollectionIsToldOnce(t *testing.T) {
	var probe runtimeProbe
	probe.read()
	runtime.GC()
	runtime.GC()
	told, again := probe.read(), probe.read()
	// The collector may be at work by itself as well.
	if len(told.Collections) < 2 || told.Untold != 0 || len(again.Collections) > 1 {
		t.Fatalf("told %v, then %v", told.Collections, again.Collections)
	}
	for _, span := range told.Collections {
		if span[1]-span[0] != span[2] || span[2] <= 0 {
			t.Errorf("span %v", span)
		}
	}
}

func TestCollectionsThatGoKeepsNoMoreAreCounted(t *testing.T) {
	ends := []time.Time{time.Unix(0, 5_000), time.Unix(0, 3_000)}
	kept := debug.GCStats{Pause: []time.Duration{20, 10}, PauseEnd: ends}
	spans, untold := placed(&kept, 5, 1_000)
	if untold != 3 || !reflect.DeepEqual(spans, [][3]int64{{1_990, 2_000, 10}, {3_980, 4_000, 20}}) {
		t.Errorf("%v, %d untold", spans, untold)
	}
}
