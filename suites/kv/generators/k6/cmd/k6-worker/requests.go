package main

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"wirelab.dev/sdk"
	"wirelab.dev/sdk/k6"
)

const (
	defaultRequests = 64
	mostRequests    = 10_000
	// Of the path: the name that is the request's number.
	numberName = "request"
)

var nameInBraces = regexp.MustCompile(`\{[a-z0-9_]+\}`)

// requests are the URLs of a step, by number.
type requests struct {
	urls  []string
	count uint64
}

// requestsOf makes the URLs of a step at an endpoint, by the rules of wirelab's own generator.
func requestsOf(spec *sdk.Spec, step *sdk.Step, endpoint string) (*requests, error) {
	for _, name := range []string{"http_method", "http_body", "http_content_type"} {
		if text, err := sdk.StepParameter(spec, step, name, ""); err != nil || (text != "" && text != "GET") {
			return nil, k6.Unsupported("the users of the k6 script send GET without a body; %s says otherwise", name)
		}
	}
	path, err := sdk.StepParameter(spec, step, "http_path", "/")
	if err != nil {
		return nil, err
	}
	count, err := sdk.StepParameter(spec, step, "requests", int64(defaultRequests))
	if err != nil {
		return nil, err
	}
	if count < 1 || count > mostRequests {
		return nil, fmt.Errorf("requests is %d: expected 1 to %d", count, mostRequests)
	}
	r := &requests{count: uint64(count)}
	for number := range count {
		text, err := filled(path, number, spec, step)
		if err != nil {
			return nil, err
		}
		if _, err := url.ParseRequestURI(text); err != nil {
			return nil, fmt.Errorf("http_path: %w", err)
		}
		r.urls = append(r.urls, strings.TrimSuffix(endpoint, "/")+text)
	}
	return r, nil
}

// filled is a path with values for the names in it; what is no name in braces is itself.
func filled(path string, number int64, spec *sdk.Spec, step *sdk.Step) (string, error) {
	var unknown error
	text := nameInBraces.ReplaceAllStringFunc(path, func(found string) string {
		name := found[1 : len(found)-1]
		if name == numberName {
			return strconv.FormatInt(number, 10)
		}
		raw, ok := step.Parameters[name]
		if !ok {
			raw, ok = spec.Parameters[name]
		}
		if !ok {
			unknown = fmt.Errorf("%q fills in %s, which is no parameter", path, found)
			return found
		}
		var value string
		if json.Unmarshal(raw, &value) == nil {
			return value
		}
		return string(raw)
	})
	return text, unknown
}

// number is that of the request which is due at a tick on a lane.
func (r *requests) number(tick, lane int64) int {
	return int(mix(uint64(tick)<<16|uint64(lane)) % r.count)
}

// mix is the finaliser of splitmix64.
func mix(x uint64) uint64 {
	z := x + 0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}
