package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"wirelab.dev/sdk"
)

// largestAnswer is the longest body that is an answer, in bytes.
const largestAnswer = 1 << 20

// answer is what a server gave, as the suite's verifier reads it.
type answer struct {
	Status int             `json:"status"`
	Body   json.RawMessage `json:"body"`
}

// answerOf is the answer that a body is; nil, and an error in words, where it is none. Numbers stay
// as the server wrote them.
func answerOf(status int, body []byte) (any, error) {
	if len(body) > largestAnswer {
		return nil, fmt.Errorf("a body above %d bytes is no answer", largestAnswer)
	}
	if !json.Valid(body) {
		return nil, fmt.Errorf("the body is no JSON: %.200q", body)
	}
	return answer{Status: status, Body: body}, nil
}

// preflight asks the first step's requests on lane 0, and writes what came. It does so itself: no
// time of it is a figure. A server that cannot answer once has nothing to be timed.
func preflight(w *sdk.Worker, p *plan) error {
	transport := &http.Transport{DisableCompression: true}
	defer transport.CloseIdleConnections()
	client := &http.Client{
		Transport: transport,
		Timeout:   time.Duration(w.Spec.Limits.OperationNS),
		// Redirects are not followed.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	for tick := range w.Spec.Verify.Preflight[request] {
		of := p.requests[0]
		startNS := sdk.Now()
		given, err := ask(client, of.urls[of.number(tick, 0)])
		if err != nil {
			return sdk.Fault{Class: "PreflightFailed", Message: fmt.Sprintf("request %d: %v", tick+1, err)}
		}
		err = w.Answers.Write(sdk.Answer{
			Phase: sdk.Preflight, Operation: request, Tick: tick,
			StartNS: startNS, EndNS: sdk.Now(), Answer: given,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func ask(client *http.Client, url string) (any, error) {
	response, err := client.Get(url)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, largestAnswer+1))
	if err != nil {
		return nil, err
	}
	if response.StatusCode < http.StatusOK || response.StatusCode >= http.StatusMultipleChoices {
		return nil, fmt.Errorf("HTTP %d: %.200q", response.StatusCode, body)
	}
	return answerOf(response.StatusCode, body)
}
