package sdk

import (
	"runtime/debug"
	"runtime/metrics"
)

const (
	heapMetric      = "/memory/classes/heap/objects:bytes"
	allocatedMetric = "/gc/heap/allocs:bytes"
	heapKind        = "objects on the heap, those not swept yet included"
)

type runtimeEvent struct {
	Event          string `json:"event"`
	MonotonicNS    int64  `json:"monotonic_ns"`
	HeapBytes      uint64 `json:"heap_bytes"`
	HeapKind       string `json:"heap_kind"`
	AllocatedBytes uint64 `json:"allocated_bytes"`
	GCCount        int64  `json:"gc_count"`
	GCPauseNS      int64  `json:"gc_pause_ns"`
}

// readRuntime says what Go knows of itself. None of it stops the world. Pauses come from the
// collector's own sum: runtime/metrics has only a histogram of them.
func readRuntime() runtimeEvent {
	heap := []metrics.Sample{{Name: heapMetric}, {Name: allocatedMetric}}
	metrics.Read(heap)
	var collector debug.GCStats
	debug.ReadGCStats(&collector)
	return runtimeEvent{
		Event:          "runtime",
		MonotonicNS:    Now(),
		HeapBytes:      heap[0].Value.Uint64(),
		HeapKind:       heapKind,
		AllocatedBytes: heap[1].Value.Uint64(),
		GCCount:        collector.NumGC,
		GCPauseNS:      int64(collector.PauseTotal),
	}
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
