package opcua

import (
	"fmt"

	"wirelab.dev/sdk"
)

// Results are those of a request whose items were all looked at.
type Results struct {
	Count int
	// Bad are the items that are not good.
	Bad []BadItem
	// Value gives what was read at a position, nil where there is none; it is called where an answer is wanted.
	Value func(position int) any
}

// BadItem is an item that is not good.
type BadItem struct {
	Position int
	// Class and Status are what the library calls it, Name is the standard's name, Text what it means.
	Class, Status, Name, Text string
}

func (b *NodeLists) read(results Results) sdk.Outcome {
	return outcomeOf(b.Reads, results, func() map[string]any {
		if b.own {
			return map[string]any{"valued": results.valued()}
		}
		return map[string]any{"values": results.values()}
	})
}

func (b *NodeLists) changed(readings []Reading) sdk.Outcome {
	results := Results{Count: len(readings), Value: func(i int) any { return readings[i].Value }}
	for tag, reading := range readings {
		if reading.Bad != nil {
			item := *reading.Bad
			item.Position = tag
			results.Bad = append(results.Bad, item)
		}
	}
	return outcomeOf(b.Watched, results, func() map[string]any { return map[string]any{"values": results.values()} })
}

func (b *NodeLists) written(results Results, sequence int64) sdk.Outcome {
	return outcomeOf(b.Writes, results, func() map[string]any { return map[string]any{"sequence": sequence} })
}

func outcomeOf(nodes []string, results Results, answer func() map[string]any) sdk.Outcome {
	if results.Count != len(nodes) {
		told := fmt.Sprintf("asked for %d items, got %d", len(nodes), results.Count)
		return sdk.Outcome{Status: sdk.WrongAnswer, Fault: &sdk.Fault{Class: "WrongAnswer", Message: told}}
	}
	outcome := sdk.Outcome{Answer: func() any {
		said := answer()
		said["bad"] = results.named()
		return said
	}}
	for _, item := range results.Bad {
		outcome.Status = sdk.ItemError
		outcome.Items = append(outcome.Items, sdk.Fault{
			Class: item.Class, Status: item.Status,
			Message: fmt.Sprintf("item %d, %s: %s", item.Position, nodes[item.Position], item.Text),
		})
	}
	return outcome
}

// named are the position and the name of each bad item.
func (r Results) named() [][2]any {
	named := make([][2]any, len(r.Bad))
	for i, item := range r.Bad {
		named[i] = [2]any{item.Position, item.Name}
	}
	return named
}

// values are those of good items, nil in the place of bad ones.
func (r Results) values() []any {
	values := make([]any, r.Count)
	for position := range values {
		values[position] = r.Value(position)
	}
	for _, item := range r.Bad {
		values[item.Position] = nil
	}
	return values
}

func (r Results) valued() int {
	count := 0
	for position := range r.Count {
		if r.Value(position) != nil {
			count++
		}
	}
	return count
}
