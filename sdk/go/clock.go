package sdk

import (
	"fmt"
	"syscall"
	"time"
	"unsafe"
)

const clockMonotonic = 1

// Go reads CLOCK_MONOTONIC for every time.Time, fast, but shows only differences. The value at
// one such moment, asked of the kernel, turns the differences into readings.
var (
	reference   time.Time
	referenceNS int64
)

func init() {
	// The tightest of several brackets: what the kernel said lies in the middle of it.
	narrowest := time.Duration(1<<63 - 1)
	for range 8 {
		before := time.Now()
		kernel := kernelMonotonic()
		width := time.Since(before)
		if width < narrowest {
			narrowest, reference, referenceNS = width, before, kernel-int64(width/2)
		}
	}
}

// Now is CLOCK_MONOTONIC in nanoseconds.
func Now() int64 {
	return referenceNS + int64(time.Since(reference))
}

// WallOffset is what has to be added to nanoseconds since 1970 to get CLOCK_MONOTONIC. It changes
// when somebody sets the wall clock, and while it is being adjusted.
func WallOffset() int64 {
	now := time.Now()
	return referenceNS + int64(now.Sub(reference)) - now.UnixNano()
}

func kernelMonotonic() int64 {
	var now syscall.Timespec
	// The standard library has no wrapper of this call.
	_, _, errno := syscall.Syscall(
		syscall.SYS_CLOCK_GETTIME, clockMonotonic, uintptr(unsafe.Pointer(&now)), 0,
	)
	if errno != 0 {
		panic(fmt.Sprintf("clock_gettime(CLOCK_MONOTONIC): %v", errno))
	}
	return now.Nano()
}
