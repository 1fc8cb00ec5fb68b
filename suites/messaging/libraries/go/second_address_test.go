package messaging

import (
	"testing"

	"wirelab.dev/sdk"
)

func TestARestartedServerHasItsSecondAddressAgain(t *testing.T) {
	spec := &sdk.Spec{Listen: "127.0.0.1:0"}
	spec.Paths.Scratch = t.TempDir()
	first := SecondAddressOf(spec, "publisher")
	if first.Wanted != "127.0.0.1:0" {
		t.Errorf("wants %s", first.Wanted)
	}
	if err := first.Taken("127.0.0.1:4711"); err != nil {
		t.Fatal(err)
	}
	// A server that was never told of a port is another one, which starts anew.
	if again := SecondAddressOf(spec, "publisher"); again.Wanted != "127.0.0.1:0" {
		t.Errorf("wants %s", again.Wanted)
	}
	spec.Listen = "127.0.0.1:4710"
	if again := SecondAddressOf(spec, "publisher"); again.Wanted != "127.0.0.1:4711" {
		t.Errorf("wants %s", again.Wanted)
	}
}
