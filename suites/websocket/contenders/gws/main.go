// gws is a whiteboard server on github.com/lxzan/gws.
package main

import (
	"fmt"
	"net"
	"net/http"

	"github.com/lxzan/gws"
	"wirelab.dev/sdk"
)

const (
	library = "github.com/lxzan/gws"
	path    = "/board"
	longest = 64 * 1024
)

func main() {
	sdk.Main(serve)
}

func serve(w *sdk.Worker) error {
	whiteboard := NewWhiteboard()
	upgrader := gws.NewUpgrader(whiteboard, &gws.ServerOption{
		// Handling the messages of one connection in parallel would change their order.
		ParallelEnabled: false,
		// Text is forwarded as it came: what is not UTF-8 must not reach the others.
		CheckUtf8Enabled:   true,
		ReadMaxPayloadSize: longest,
		Recovery:           gws.Recovery,
		PermessageDeflate:  gws.PermessageDeflate{Enabled: false},
	})
	routes := http.NewServeMux()
	routes.HandleFunc(path, func(response http.ResponseWriter, request *http.Request) {
		socket, err := upgrader.Upgrade(response, request)
		if err != nil {
			return // gws has answered
		}
		// A goroutine of its own lets net/http give up what it keeps of the request.
		go socket.ReadLoop()
	})

	listener, err := net.Listen("tcp", w.Spec.Listen)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", w.Spec.Listen, err)
	}
	server := &http.Server{Handler: routes}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	if err := w.Ready(sdk.Ready{
		Library:  sdk.Named{Name: "gws", Version: sdk.ModuleVersion(library)},
		Endpoint: fmt.Sprintf("ws://%s%s", listener.Addr(), path),
		Facts:    map[string]any{"protocol": "json"},
	}); err != nil {
		return err
	}
	select {
	case err := <-failed:
		return fmt.Errorf("serve: %w", err)
	case <-w.Stopped():
		whiteboard.Close()
		return server.Close()
	}
}
