package k6

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func startedOutput(t *testing.T) *Output {
	t.Helper()
	output, err := NewOutput(filepath.Join(t.TempDir(), pointsFile))
	if err != nil {
		t.Fatal(err)
	}
	if err := output.Start(); err != nil {
		t.Fatal(err)
	}
	return output
}

func TestWhatWasWrittenIsThereWhenItStops(t *testing.T) {
	output := startedOutput(t)
	output.Write([]byte("1\n2\n"))
	output.Write(nil)
	output.Write([]byte("3\n"))
	if err := output.Stop(); err != nil {
		t.Fatal(err)
	}
	if written, err := os.ReadFile(output.path); err != nil || string(written) != "1\n2\n3\n" {
		t.Errorf("%q, %v", written, err)
	}
}

func TestAMissingPointIsTold(t *testing.T) {
	output := startedOutput(t)
	missing := errors.New("no user")
	output.Fail(missing)
	if err := output.Stop(); !errors.Is(err, missing) {
		t.Errorf("said %v", err)
	}
	output = startedOutput(t)
	output.Write([]byte("1\n"))
	_ = output.file.Close() // as a full disk would
	if output.Stop() == nil {
		t.Error("a lost file was not told")
	}
	if _, err := NewOutput(""); err == nil {
		t.Error("an output without a file was made")
	}
}
