package k6

import (
	"io"
	"net/http"
	"testing"
)

func TestAScriptGetsItsAnswer(t *testing.T) {
	routes := http.NewServeMux()
	routes.HandleFunc("GET /start", func(response http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(response, "17")
	})
	failed := make(chan error, 1)
	server, err := Serve(routes, failed)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.Get(server.URL() + "/start")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if body, err := io.ReadAll(response.Body); err != nil || string(body) != "17" {
		t.Errorf("got %q, %v", body, err)
	}
	server.Close()
	if _, err := http.Get(server.URL() + "/start"); err == nil {
		t.Error("answered after its end")
	}
	select {
	case err := <-failed:
		t.Errorf("an end that was asked for failed: %v", err)
	default:
	}
}
