package main

import (
	_ "embed"
	"encoding/json"

	"wirelab.dev/sdk/k6"
)

const (
	scriptFile  = "users.js"
	planFile    = "plan.json"
	numbersFile = "numbers.json"
)

//go:embed users.js
var script []byte

// playScript starts the users of a step, with their plan beside them.
func playScript(program k6.Program, folder string, p *stepPlan) (*k6.Child, error) {
	described, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	numbers, err := json.Marshal(p.numbers)
	if err != nil {
		return nil, err
	}
	return program.Run(folder, scriptFile, map[string][]byte{
		scriptFile: script, planFile: described, numbersFile: numbers,
	})
}
