package main

import (
	"debug/buildinfo"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"wirelab.dev/sdk"
)

const (
	k6Module    = "go.k6.io/k6"
	scriptFile  = "users.js"
	planFile    = "plan.json"
	numbersFile = "numbers.json"
	configFile  = "k6-config.json"
	pointsFile  = "points.jsonl"
)

//go:embed users.js
var script []byte

// child is the k6 process of a step.
type child struct {
	process *os.Process
	// ended gets what Wait said, once.
	ended  chan error
	folder string
}

// k6Program is the k6 that was built together with this program, and its version.
func k6Program() (path, version string, err error) {
	own, err := os.Executable()
	if err != nil {
		return "", "", err
	}
	path = filepath.Join(filepath.Dir(own), "k6")
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return "", "", fmt.Errorf("k6 is not beside this program: %w", err)
	}
	return path, sdk.VersionIn(info, k6Module), nil
}

// startK6 runs the script in folder. It reports nothing to anybody: no usage report, no REST
// interface, no configuration of the user's.
func startK6(program, folder string, p *stepPlan) (*child, error) {
	described, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	numbers, err := json.Marshal(p.numbers)
	if err != nil {
		return nil, err
	}
	for name, content := range map[string][]byte{
		scriptFile: script, planFile: described, numbersFile: numbers, configFile: []byte("{}"),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o644); err != nil {
			return nil, err
		}
	}
	command := exec.Command(program,
		"run", "--quiet", "--no-color", "--address", "", "--config", filepath.Join(folder, configFile),
		"--no-usage-report", "--no-thresholds", "--summary-mode", "disabled",
		"--out", "wirelab="+filepath.Join(folder, pointsFile),
		filepath.Join(folder, scriptFile),
	)
	command.Dir = folder
	command.Env = append(withoutK6(os.Environ()), "K6_AUTO_EXTENSION_RESOLUTION=false")
	command.Stdout, command.Stderr = os.Stderr, os.Stderr
	// k6 must not outlive a worker that was killed.
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return launched(command, folder)
}

// launched starts a command and waits for it, on a thread that lives as long: the kernel takes the
// end of the thread that started a process for the end of its parent.
func launched(command *exec.Cmd, folder string) (*child, error) {
	started := make(chan error, 1)
	c := &child{ended: make(chan error, 1), folder: folder}
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := command.Start()
		c.process = command.Process
		started <- err
		if err == nil {
			c.ended <- command.Wait()
		}
	}()
	return c, <-started
}

// withoutK6 leaves out settings that would change what k6 does.
func withoutK6(environment []string) []string {
	var kept []string
	for _, entry := range environment {
		if !strings.HasPrefix(entry, "K6_") {
			kept = append(kept, entry)
		}
	}
	return kept
}

// stop ends k6: first as its user would, so that it writes what it has, then by force.
func (c *child) stop(patience time.Duration) {
	_ = c.process.Signal(syscall.SIGINT)
	select {
	case <-c.ended:
	case <-time.After(patience):
		_ = c.process.Kill()
		<-c.ended
	}
}

// clear removes what only k6 needed.
func (c *child) clear() {
	for _, name := range []string{scriptFile, planFile, numbersFile, configFile, pointsFile} {
		_ = os.Remove(filepath.Join(c.folder, name))
	}
}
