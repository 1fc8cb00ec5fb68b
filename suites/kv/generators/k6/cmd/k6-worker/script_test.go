package main

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"wirelab.dev/kv/k6/points"
)

// k6 is not run here: what the script and the worker must agree on is looked up in its text.
func TestTheScriptAndTheWorkerAgreeOnNames(t *testing.T) {
	described, err := json.Marshal(&stepPlan{})
	if err != nil {
		t.Fatal(err)
	}
	var known map[string]any
	if err := json.Unmarshal(described, &known); err != nil {
		t.Fatal(err)
	}
	asked := regexp.MustCompile(`\bplan\.(\w+)`).FindAllSubmatch(script, -1)
	if len(asked) == 0 {
		t.Error("the script reads nothing of the plan")
	}
	for _, name := range asked {
		if string(name[1]) == "json" {
			continue // the file's name
		}
		if _, ok := known[string(name[1])]; !ok {
			t.Errorf("plan.%s is not in the plan", name[1])
		}
	}
	for _, words := range []string{
		"'" + points.ResponseMetric + "'", "name: '" + points.RequestName + "'",
		"metadata." + points.TickKey + " =", "metadata." + points.LaneKey + " =",
		"metadata." + points.TimingKey + " =", "metadata." + points.BodyKey + " =",
		"./" + planFile, "./" + numbersFile,
	} {
		if !strings.Contains(string(script), words) {
			t.Errorf("the script has no %s", words)
		}
	}
}
