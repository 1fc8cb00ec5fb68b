package main

import (
	"math"
	"strconv"
	"strings"
)

// timingsOf are the durations in a header Server-Timing (W3C; milliseconds), in nanoseconds by name.
// The first of a name counts; a duration that is no number from 0 is passed over.
func timingsOf(header string) map[string]int64 {
	found := map[string]int64{}
	for _, metric := range split(header, ',') {
		parts := split(metric, ';')
		name := strings.TrimSpace(parts[0])
		for _, parameter := range parts[1:] {
			key, value, _ := strings.Cut(parameter, "=")
			if !strings.EqualFold(strings.TrimSpace(key), "dur") {
				continue
			}
			ns, ok := nanoseconds(value)
			if _, known := found[name]; ok && !known {
				found[name] = ns
			}
			break // the first of a kind counts, by the standard
		}
	}
	return found
}

// split cuts at separators outside of quotes.
func split(text string, separator byte) []string {
	var parts []string
	quoted, from := false, 0
	for at := 0; at < len(text); at++ {
		switch {
		case quoted && text[at] == '\\':
			at++
		case text[at] == '"':
			quoted = !quoted
		case text[at] == separator && !quoted:
			parts = append(parts, text[from:at])
			from = at + 1
		}
	}
	return append(parts, text[from:])
}

func nanoseconds(text string) (int64, bool) {
	text = strings.TrimSpace(text)
	if inner, ok := strings.CutPrefix(text, `"`); ok {
		text = strings.TrimSuffix(inner, `"`)
	}
	ms, err := strconv.ParseFloat(text, 64)
	ns := math.Round(ms * millisecond)
	// The histogram's bound is lower still.
	if err != nil || !(ns >= 0) || ns > math.MaxInt64/2 {
		return 0, false
	}
	return int64(ns), true
}
