package k6

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"wirelab.dev/sdk"
)

// pretended is a program of the shell in place of k6.
func pretended(t *testing.T, text string) Program {
	t.Helper()
	path := filepath.Join(t.TempDir(), "k6")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o755); err != nil {
		t.Fatal(err)
	}
	return Program{path: path}
}

func runIn(t *testing.T, folder, text string) *Child {
	t.Helper()
	files := map[string][]byte{"users.js": []byte("1\n2\n"), "plan.json": []byte("{}")}
	child, err := pretended(t, text).Run(folder, "users.js", files)
	if err != nil {
		t.Fatal(err)
	}
	return child
}

func TestK6HasItsFilesAndNothingOfTheUsersOwn(t *testing.T) {
	t.Setenv("K6_VUS", "1000")
	folder := t.TempDir()
	// Its points are the script's own lines.
	child := runIn(t, folder, `
[ -z "$K6_VUS" ] && [ "$(cat k6-config.json plan.json)" = "{}{}" ] || exit 1
out= script=
for word; do case $word in wirelab=*) out=${word#wirelab=} ;; esac; script=$word; done
cp "$script" "$out"
`)
	if err := <-child.Ended(); err != nil {
		t.Fatal(err)
	}
	var taken int
	if err := Points(child, number, func(point int) error { taken += point; return nil }); err != nil || taken != 3 {
		t.Errorf("took %d, %v", taken, err)
	}
	child.Clear()
	if left, err := os.ReadDir(folder); err != nil || len(left) != 0 {
		t.Errorf("left %v, %v", left, err)
	}
}

func TestK6IsAskedToEndBeforeItIsForced(t *testing.T) {
	folder := t.TempDir()
	asked := runIn(t, folder, `trap 'echo 5 > points; exit 0' INT; echo > ready; while :; do sleep 0.01; done`)
	awaitFile(t, filepath.Join(folder, "ready"))
	asked.Stop()
	if err := Points(asked, number, func(int) error { return nil }); err != nil {
		t.Error(err)
	}
	folder = t.TempDir()
	forced := runIn(t, folder, `trap '' INT; echo > ready; exec sleep 60`)
	awaitFile(t, filepath.Join(folder, "ready"))
	forced.Stop()
	forced.Stop() // of what has ended
}

func awaitFile(t *testing.T, path string) {
	t.Helper()
	for range 3000 {
		if _, err := os.Stat(path); err == nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%s did not come", path)
}

func TestHowK6EndedIsTold(t *testing.T) {
	child := runIn(t, t.TempDir(), "exit 107")
	err := <-child.Ended()
	var fault sdk.Fault
	if !errors.As(Gone(err), &fault) || fault.Class != "K6Ended" || !strings.Contains(fault.Message, "107") {
		t.Errorf("%v: %v", err, fault)
	}
	if _, err := (Program{path: "/nowhere/k6"}).Run(t.TempDir(), "users.js", nil); err == nil {
		t.Error("a missing k6 was started")
	}
	if _, err := Beside(); err == nil {
		t.Error("a k6 was found beside a test")
	}
}
