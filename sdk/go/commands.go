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
	hear  func(asking) error
}

func listen(input io.Reader, hear func(asking) error) *commands {
	c := &commands{start: make(chan int64, 1), stop: make(chan struct{}), hear: hear}
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
			Asked       int64  `json:"asked"`
			Operation   string `json:"operation"`
			Lane        int64  `json:"lane"`
		}
		if err := json.Unmarshal(lines.Bytes(), &command); err != nil {
			fmt.Fprintf(os.Stderr, "not a command: %q\n", lines.Text())
			continue
		}
		switch command.Command {
		case "stop":
			return
		case "answer":
			if err := c.hear(asking{command.Asked, command.Operation, command.Lane}); err != nil {
				fmt.Fprintf(os.Stderr, "answer %d: %v\n", command.Asked, err)
			}
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
