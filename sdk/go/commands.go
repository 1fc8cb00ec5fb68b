package sdk

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// commands are what the core says on standard input; its end means stop.
type commands struct {
	start chan int64
	stop  chan struct{}
}

func listen(input io.Reader) *commands {
	c := &commands{start: make(chan int64, 1), stop: make(chan struct{})}
	go c.read(input)
	return c
}

func (c *commands) read(input io.Reader) {
	defer close(c.stop)
	lines := bufio.NewScanner(input)
	for lines.Scan() {
		var command struct {
			Command     string `json:"command"`
			MonotonicNS int64  `json:"monotonic_ns"`
		}
		if err := json.Unmarshal(lines.Bytes(), &command); err != nil {
			fmt.Fprintf(os.Stderr, "not a command: %q\n", lines.Text())
			continue
		}
		switch command.Command {
		case "stop":
			return
		case "start":
			select {
			case c.start <- command.MonotonicNS:
			default: // a second start changes nothing
			}
		default:
			fmt.Fprintf(os.Stderr, "unknown command: %q\n", lines.Text())
		}
	}
}
