package sdk

import (
	"os"
	"sync/atomic"
	"syscall"
	"unsafe"
)

const timerAbsolute = 1

// kernelTimer waits for times of CLOCK_MONOTONIC. Go's own timers round a sleep of less than a
// millisecond up to one; a timer of the kernel that its poller waits for does not.
type kernelTimer struct {
	file   *os.File
	conn   syscall.RawConn
	closed atomic.Bool
}

func newKernelTimer() (*kernelTimer, error) {
	const flags = syscall.O_NONBLOCK | syscall.O_CLOEXEC
	number, _, errno := syscall.Syscall(syscall.SYS_TIMERFD_CREATE, clockMonotonic, flags, 0)
	if errno != 0 {
		return nil, os.NewSyscallError("timerfd_create", errno)
	}
	file := os.NewFile(number, "timerfd")
	conn, err := file.SyscallConn()
	return &kernelTimer{file: file, conn: conn}, err
}

// awaitStart waits for the start: when tick 0 is, and a timer that a stop ends; no timer where the
// stop came first.
func (w *Worker) awaitStart() (*kernelTimer, int64, error) {
	made, err := newKernelTimer()
	if err != nil {
		return nil, 0, err
	}
	// A stop wakes who waits for a time at once.
	go func() {
		<-w.Stopped()
		made.close()
	}()
	select {
	case startNS := <-w.Started():
		return made, startNS, nil
	case <-w.Stopped():
		return nil, 0, nil
	}
}

// until returns at a time, at once when it is over, and with false when the timer was closed.
func (a *kernelTimer) until(atNS int64) (bool, error) {
	if atNS <= Now() {
		return true, nil
	}
	// struct itimerspec: no interval, then the time.
	setting := [2]syscall.Timespec{{}, syscall.NsecToTimespec(atNS)}
	var errno syscall.Errno
	err := a.conn.Control(func(number uintptr) {
		_, _, errno = syscall.Syscall6(
			syscall.SYS_TIMERFD_SETTIME, number, timerAbsolute, uintptr(unsafe.Pointer(&setting)), 0, 0, 0,
		)
	})
	if err == nil && errno != 0 {
		err = os.NewSyscallError("timerfd_settime", errno)
	}
	if err == nil {
		var expirations [8]byte
		_, err = a.file.Read(expirations[:])
	}
	// Not by the error: a raw connection gives another one for a closed file than a file does.
	if a.closed.Load() {
		return false, nil
	}
	return err == nil, err
}

func (a *kernelTimer) close() {
	a.closed.Store(true)
	_ = a.file.Close()
}
