package sdk

import (
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"
)

const (
	heapMetric      = "/memory/classes/heap/objects:bytes"
	allocatedMetric = "/gc/heap/allocs:bytes"
	heapKind        = "objects on the heap, those not swept yet included"
	// The contract wants no more collections in all events, which are bounded; an event has 256 at
	// the most.
	mostCollections = 50_000
)

type runtimeEvent struct {
	Event          string `json:"event"`
	MonotonicNS    int64  `json:"monotonic_ns"`
	HeapBytes      uint64 `json:"heap_bytes"`
	HeapKind       string `json:"heap_kind"`
	AllocatedBytes uint64 `json:"allocated_bytes"`
	GCCount        int64  `json:"gc_count"`
	GCPauseNS      int64  `json:"gc_pause_ns"`
	// Begin, end, and how long it took, of each pause since the event before.
	Collections [][3]int64 `json:"collections"`
	// Untold counts those that are left out.
	Untold int64 `json:"untold"`
}

// runtimeProbe reads what Go knows of itself, and remembers which pauses it has told of. Safe from
// several goroutines.
type runtimeProbe struct {
	mutex sync.Mutex
	seen  int64
	told  int
}

// read stops the world for nothing. Pauses come from the collector's own records, which are of the
// last 256 collections: runtime/metrics has only a histogram of them.
func (p *runtimeProbe) read() runtimeEvent {
	heap := []metrics.Sample{{Name: heapMetric}, {Name: allocatedMetric}}
	metrics.Read(heap)
	var collector debug.GCStats
	debug.ReadGCStats(&collector)
	p.mutex.Lock()
	defer p.mutex.Unlock()
	collections, untold := placed(&collector, collector.NumGC-p.seen, time.Now().UnixNano()-Now())
	p.seen = max(p.seen, collector.NumGC)
	if p.told += len(collections); p.told > mostCollections {
		collections, untold = [][3]int64{}, untold+int64(len(collections))
	}
	return runtimeEvent{
		Event:          "runtime",
		MonotonicNS:    Now(),
		HeapBytes:      heap[0].Value.Uint64(),
		HeapKind:       heapKind,
		AllocatedBytes: heap[1].Value.Uint64(),
		GCCount:        collector.NumGC,
		GCPauseNS:      int64(collector.PauseTotal),
		Collections:    collections,
		Untold:         untold,
	}
}

// placed is when the latest pauses were, by CLOCK_MONOTONIC, of which the wall clock is aheadNS
// ahead, and how many of them are kept no more.
func placed(collector *debug.GCStats, latest, aheadNS int64) (spans [][3]int64, untold int64) {
	known := min(max(latest, 0), int64(len(collector.Pause)), int64(len(collector.PauseEnd)))
	spans = make([][3]int64, 0, known)
	for i := known - 1; i >= 0; i-- { // the most recent is the first
		tookNS := int64(collector.Pause[i])
		endNS := collector.PauseEnd[i].UnixNano() - aheadNS
		spans = append(spans, [3]int64{endNS - tookNS, endNS, tookNS})
	}
	return spans, max(latest, 0) - known
}

// Module names a library and the version of its module that this program is linked from.
func Module(name, path string) Named {
	return Named{Name: name, Version: ModuleVersion(path)}
}

// ModuleVersion is the version of a module that this program is linked from, without its "v";
// empty when there is no such module.
func ModuleVersion(path string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	return VersionIn(info, path)
}

// VersionIn is the version of a module in what a program says of its build; see [ModuleVersion].
func VersionIn(info *debug.BuildInfo, path string) string {
	for _, module := range info.Deps {
		if module.Path == path && len(module.Version) > 1 {
			return module.Version[1:]
		}
	}
	return ""
}
