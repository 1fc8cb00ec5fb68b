package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestUsersWaitForTheLastOne(t *testing.T) {
	barrier, err := newBarrier(3)
	if err != nil {
		t.Fatal(err)
	}
	defer barrier.server.Close()
	barrier.arrive()
	barrier.arrive()
	select {
	case <-barrier.opened:
		t.Fatal("opened before the last came")
	default:
	}
	if barrier.begunNS() != 0 {
		t.Error("begun before the last came")
	}
	response, err := http.Get(barrier.url())
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusNoContent || barrier.begunNS() == 0 {
		t.Errorf("status %d, begun at %d", response.StatusCode, barrier.begunNS())
	}
}

func TestAnAnswerIsABodyAsTheServerWroteIt(t *testing.T) {
	bodies := map[string]string{"/good": `{"sum": 0.1, "big": 18446744073709551615}`, "/text": "hello"}
	server := httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		body, known := bodies[request.URL.Path]
		if !known {
			http.Redirect(response, request, "/good", http.StatusFound)
			return
		}
		_, _ = response.Write([]byte(body))
	}))
	defer server.Close()
	client := server.Client()
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	given, err := ask(client, server.URL+"/good")
	if err != nil {
		t.Fatal(err)
	}
	told, _ := json.Marshal(given)
	if string(told) != `{"status":200,"body":{"sum":0.1,"big":18446744073709551615}}` {
		t.Errorf("got %s", told)
	}
	for path, words := range map[string]string{"/text": "no JSON", "/away": "HTTP 302"} {
		if _, err := ask(client, server.URL+path); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := answerOf(200, make([]byte, largestAnswer+1)); err == nil {
		t.Error("a body above the limit was taken")
	}
}
