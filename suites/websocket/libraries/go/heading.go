// Package whiteboard is what Go servers of the suite websocket share: the worker's life, and the
// messages of its protocol json.
package whiteboard

import "encoding/json"

// Heading is what has to be known of a message: the rest goes through as it came.
type Heading struct {
	Type  string          `json:"type"`
	Board string          `json:"board"`
	User  json.RawMessage `json:"user,omitempty"`
}

// Joined is the answer to a join.
func (h Heading) Joined() ([]byte, error) {
	h.Type = "joined"
	return json.Marshal(h)
}
