// Package k6 is what workers have in common that let k6 make their load: running the k6 that was
// built beside them, the points it leaves, and its clock. It imports nothing of k6.
package k6

import (
	"debug/buildinfo"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"wirelab.dev/sdk"
)

const (
	module     = "go.k6.io/k6"
	configFile = "k6-config.json"
	pointsFile = "points"
)

// Program is the k6 that was built together with a worker.
type Program struct {
	path string
	// Version is k6's own.
	Version string
}

// Beside finds the k6 in the folder of this program.
func Beside() (Program, error) {
	own, err := os.Executable()
	if err != nil {
		return Program{}, err
	}
	path := filepath.Join(filepath.Dir(own), "k6")
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return Program{}, fmt.Errorf("k6 is not beside this program: %w", err)
	}
	return Program{path, sdk.VersionIn(info, module)}, nil
}

// Run starts a script in folder. Files are the script and what it reads, by name. It reports
// nothing to anybody: no usage report, no REST interface, no configuration of the user's.
func (p Program) Run(folder, script string, files map[string][]byte) (*Child, error) {
	c := &Child{ended: make(chan error, 1), folder: folder, files: []string{configFile, pointsFile}}
	for name, content := range files {
		c.files = append(c.files, name)
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o644); err != nil {
			return nil, fmt.Errorf("k6: %w", err)
		}
	}
	if err := os.WriteFile(filepath.Join(folder, configFile), []byte("{}"), 0o644); err != nil {
		return nil, fmt.Errorf("k6: %w", err)
	}
	command := exec.Command(p.path,
		"run", "--quiet", "--no-color", "--address", "", "--config", filepath.Join(folder, configFile),
		"--no-usage-report", "--no-thresholds", "--summary-mode", "disabled",
		"--out", OutputName+"="+filepath.Join(folder, pointsFile),
		filepath.Join(folder, script),
	)
	command.Dir = folder
	command.Env = append(withoutK6(os.Environ()), "K6_AUTO_EXTENSION_RESOLUTION=false")
	command.Stdout, command.Stderr = os.Stderr, os.Stderr
	// k6 must not outlive a worker that was killed.
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := c.launch(command); err != nil {
		return nil, fmt.Errorf("k6: %w", err)
	}
	return c, nil
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
