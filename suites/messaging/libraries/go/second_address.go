package messaging

import (
	"os"
	"path/filepath"
	"strings"

	"wirelab.dev/sdk"
)

// SecondAddress is one that a server has beside the address of its spec. A restarted server gets the
// port that it had; its clients have to find it where it was at this one, too.
type SecondAddress struct {
	// Wanted is HOST:PORT to bind; port 0 lets the system choose.
	Wanted     string
	remembered string
}

// SecondAddressOf is the address that the server had before it was restarted, or else the system's
// choice.
func SecondAddressOf(spec *sdk.Spec, name string) SecondAddress {
	host, port, _ := strings.Cut(spec.Listen, ":")
	second := SecondAddress{Wanted: host + ":0", remembered: filepath.Join(spec.Paths.Scratch, name)}
	if kept, err := os.ReadFile(second.remembered); err == nil && port != "0" {
		second.Wanted = string(kept)
	}
	return second
}

// Taken keeps the address at which the server listens now.
func (s SecondAddress) Taken(address string) error {
	return os.WriteFile(s.remembered, []byte(address), 0o600)
}
