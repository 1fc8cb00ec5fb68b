package whiteboard

import (
	"fmt"
	"net"
	"net/http"

	"wirelab.dev/sdk"
)

const path = "/board"

// Main is the worker of a server on net/http. A request for the board is for accept, which upgrades its
// connection; end takes leave of the connections when the core says stop.
func Main(library sdk.Named, accept http.HandlerFunc, end func()) {
	sdk.Main(func(w *sdk.Worker) error { return serve(w, library, accept, end) })
}

func serve(w *sdk.Worker, library sdk.Named, accept http.HandlerFunc, end func()) error {
	routes := http.NewServeMux()
	routes.HandleFunc(path, accept)
	listener, err := net.Listen("tcp", w.Spec.Listen)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", w.Spec.Listen, err)
	}
	server := &http.Server{Handler: routes}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	if err := w.Ready(sdk.Ready{
		Library:  library,
		Endpoint: fmt.Sprintf("ws://%s%s", listener.Addr(), path),
		Facts:    map[string]any{"protocol": "json"},
	}); err != nil {
		return err
	}
	select {
	case err := <-failed:
		return fmt.Errorf("serve: %w", err)
	case <-w.Stopped():
		// The listener is the server's: closed by both, one of them may fail. Upgraded connections are not.
		err := server.Close()
		end()
		return err
	}
}
