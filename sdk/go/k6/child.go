package k6

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"wirelab.dev/sdk"
)

const (
	// Farewell is what k6 has to end itself after its users were to end.
	Farewell = 2 * time.Second
	// An interrupted k6 writes what it has.
	patience = time.Second
)

// Child is a k6 process at work.
type Child struct {
	process *os.Process
	ended   chan error
	folder  string
	files   []string
}

// launch starts a command and waits for it, on a thread that lives as long: the kernel takes the
// end of the thread that started a process for the end of its parent.
func (c *Child) launch(command *exec.Cmd) error {
	started := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := command.Start()
		c.process = command.Process
		started <- err
		if err == nil {
			c.ended <- command.Wait()
			close(c.ended)
		}
	}()
	return <-started
}

// Ended gets how k6 ended, nil for well.
func (c *Child) Ended() <-chan error {
	return c.ended
}

// Stop ends k6: first as its user would, so that it writes what it has, then by force.
func (c *Child) Stop() {
	_ = c.process.Signal(syscall.SIGINT)
	select {
	case <-c.ended:
	case <-time.After(patience):
		_ = c.process.Kill()
		<-c.ended
	}
}

// Overdue stops a k6 that has not ended when it had to, and tells so. What it had not told by then
// counts as lost.
func (c *Child) Overdue(w *sdk.Worker) {
	w.Fault(sdk.Fault{
		Class: "K6Late", Scope: sdk.CallScope,
		Message: "k6 had not ended when it had to: interrupted",
	})
	c.Stop()
}

// Clear removes what only k6 needed, and its points.
func (c *Child) Clear() {
	for _, name := range c.files {
		_ = os.Remove(filepath.Join(c.folder, name))
	}
}
