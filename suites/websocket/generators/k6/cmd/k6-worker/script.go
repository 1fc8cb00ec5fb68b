package main

import (
	_ "embed"
	"encoding/json"

	"wirelab.dev/sdk/k6"
)

const (
	scriptFile    = "whiteboard.js"
	preflightFile = "preflight.js"
	planFile      = "plan.json"
)

//go:embed whiteboard.js
var script []byte

//go:embed preflight.js
var preflight []byte

// playScript starts the users, with their plan beside them.
func playScript(program k6.Program, folder string, p *plan) (*k6.Child, error) {
	described, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	return program.Run(folder, scriptFile, map[string][]byte{
		scriptFile: script, preflightFile: preflight, planFile: described,
	})
}
