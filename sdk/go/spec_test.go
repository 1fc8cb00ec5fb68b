package sdk

import (
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
)

func TestParametersHaveTheTypeAskedFor(t *testing.T) {
	live(t, "", func(w *Worker) error {
		size, err := Parameter[int64](w.Spec, "size", 1)
		if size != 50 || err != nil {
			t.Errorf("size %d, %v", size, err)
		}
		if share, err := Parameter(w.Spec, "share", 1.0); share != 0.5 || err != nil {
			t.Errorf("share %v, %v", share, err)
		}
		if again, err := Parameter(w.Spec, "again", false); !again || err != nil {
			t.Errorf("again %v, %v", again, err)
		}
		if missing, err := Parameter(w.Spec, "missing", "x"); missing != "x" || err != nil {
			t.Errorf("missing %v, %v", missing, err)
		}
		if _, err := Parameter[int64](w.Spec, "placement", 1); err == nil || !strings.Contains(err.Error(), `"fill"`) {
			t.Errorf("placement as a number: %v", err)
		}
		if _, err := Parameter[int64](w.Spec, "share", 1); err == nil {
			t.Error("0.5 as a whole number")
		}
		if w.Spec.Seed != 1<<64-1 || w.Spec.Schedule.Cycle.Active != 1 || w.Spec.Schedule.Loop != "open" {
			t.Errorf("spec %+v", w.Spec)
		}
		return nil
	})
}

func TestASpecThatCannotBeUsedEndsWithTwo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "spec.json")
	for _, text := range []string{
		"", "[]", "{", `{"contract": 1}`, `{"contract": 2}`, `{"contract": "2"}`,
		`{"contract": 2, "role": "server", "paths": {"samples": "s", "answers": "a"}}`,
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		role := func(*Worker) error { t.Errorf("ran with %s", text); return nil }
		if code := run(path, strings.NewReader(""), io.Discard, role); code != 2 {
			t.Errorf("%s: exit %d", text, code)
		}
	}
	if code := run("", strings.NewReader(""), io.Discard, nil); code != 2 {
		t.Errorf("without a path: exit %d", code)
	}
}

func TestNowIsTheKernelsClock(t *testing.T) {
	const grain = 1_000_000
	before := kernelMonotonic()
	now := Now()
	after := kernelMonotonic()
	if now < before-grain || now > after+grain {
		t.Errorf("%d is not within %d and %d", now, before, after)
	}
}

func TestVersionsAreThoseLinked(t *testing.T) {
	info := &debug.BuildInfo{Deps: []*debug.Module{{Path: "a.b/c", Version: "v1.2.3"}}}
	if VersionIn(info, "a.b/c") != "1.2.3" || VersionIn(info, "a.b") != "" {
		t.Errorf("got %q, %q", VersionIn(info, "a.b/c"), VersionIn(info, "a.b"))
	}
	if ModuleVersion("nobody/has/this") != "" {
		t.Error("a version of nothing")
	}
}
