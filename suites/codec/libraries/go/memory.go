package codec

import (
	"bufio"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
)

const (
	forgetPeak = "5" // written to clear_refs, it makes what is resident now the peak
	kilobyte   = 1024
)

// memoryUse is the resident memory before a call and at its peak, in bytes.
type memoryUse struct{ before, peak int64 }

// usedBy makes the call; nil where the kernel cannot tell. What was freed before goes back to the
// system first, or the call would be given it for nothing.
func usedBy(call func() error) (*memoryUse, error) {
	debug.FreeOSMemory()
	if err := os.WriteFile("/proc/self/clear_refs", []byte(forgetPeak), 0); err != nil {
		return nil, call()
	}
	before, err := resident("VmRSS")
	if err == nil {
		err = call()
	}
	if err != nil {
		return nil, err
	}
	peak, err := resident("VmHWM")
	return &memoryUse{before, peak}, err
}

// resident is a line of this process's status, in bytes.
func resident(name string) (int64, error) {
	file, err := os.Open("/proc/self/status")
	if err != nil {
		return 0, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		if value, is := strings.CutPrefix(lines.Text(), name+":"); is {
			var kilobytes int64
			_, err := fmt.Sscanf(value, "%d", &kilobytes)
			return kilobyte * kilobytes, err
		}
	}
	return 0, fmt.Errorf("the status of the process has no %s", name)
}
