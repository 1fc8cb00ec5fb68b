// Package sdk is the worker contract, version 2, for workers in Go. Standard library only.
//
// A worker is a function that [Main] runs:
//
//	func main() {
//		sdk.Main(func(w *sdk.Worker) error {
//			listener, err := net.Listen("tcp", w.Spec.Listen)
//			if err != nil {
//				return err
//			}
//			// … serve …
//			w.Ready(sdk.Ready{Library: library, Endpoint: endpoint})
//			<-w.Stopped()
//			return listener.Close()
//		})
//	}
package sdk

import (
	"fmt"
	"io"
	"os"
	"syscall"
)

// Main performs role as the core asks, and exits: with 0 after done, with 1 when the role
// failed, with 2 when the spec cannot be used. What the process prints goes to standard error.
func Main(role func(*Worker) error) {
	events, err := takeStandardOutput()
	if err != nil {
		fmt.Fprintln(os.Stderr, "wirelab.dev/sdk:", err)
		os.Exit(2)
	}
	os.Exit(run(os.Getenv("WIRELAB_SPEC"), os.Stdin, events, role))
}

// takeStandardOutput keeps standard output for events and points descriptor 1 at standard
// error: a library that prints would otherwise break the stream and fail the trial.
func takeStandardOutput() (io.Writer, error) {
	kept, err := syscall.Dup(1)
	if err != nil {
		return nil, fmt.Errorf("standard output: %w", err)
	}
	syscall.CloseOnExec(kept)
	if err := syscall.Dup3(2, 1, 0); err != nil {
		return nil, fmt.Errorf("standard output: %w", err)
	}
	return os.NewFile(uintptr(kept), "events"), nil
}

func run(path string, input io.Reader, output io.Writer, role func(*Worker) error) int {
	spec, err := readSpec(path)
	if err != nil {
		fmt.Fprintln(os.Stderr, "wirelab.dev/sdk:", err)
		return 2
	}
	events := &events{output: output}
	worker, err := newWorker(spec, events)
	if err == nil {
		worker.commands = listen(input, worker.asked.hear)
		err = worker.perform(role)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "wirelab.dev/sdk:", err)
		events.fatal(err)
		return 1
	}
	return 0
}
