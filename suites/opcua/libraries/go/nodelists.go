package opcua

import (
	"fmt"
	"os"
	"strings"

	"wirelab.dev/sdk"
)

const (
	tags        = 2000
	firstDouble = 1000
	firstString = 1800
	writeStride = 10

	unknownNode     = "ns=1;s=no-such-tag"
	unknownPosition = 3

	measureSequence   = 1_000_000
	preflightSequence = 900_000
)

// NodeLists are what a client reads and writes: nodes in their text form, and values.
type NodeLists struct {
	// Reads are the nodes of every read, in order.
	Reads []string
	// Writes are the nodes of every write, in order.
	Writes []string
	// Watched are the nodes whose changes are watched, in order.
	Watched []string

	own       bool // of a server of the user's own, whose values nobody knows
	wrongType bool // the first write gets a text that its tag cannot hold
}

func nodeListsOf(spec *sdk.Spec) (*NodeLists, error) {
	probe, err := sdk.Parameter(spec, "probe", "read")
	if err != nil {
		return nil, err
	}
	b := &NodeLists{wrongType: probe == "wrong-type"}
	if list, found := spec.Facts["server"]["node_list"].(string); found {
		text, err := os.ReadFile(list)
		if err != nil {
			return nil, err
		}
		b.own, b.Reads = true, strings.Split(strings.TrimSpace(string(text)), "\n")
	} else if b.Reads, err = nodes(spec, "read", tags, 1); err != nil {
		return nil, err
	}
	if probe == "unknown-node" {
		b.Reads[unknownPosition] = unknownNode
	}
	for _, operation := range []string{"notification", "poll"} {
		watched, err := nodes(spec, operation, tags, 1)
		if err != nil {
			return nil, err
		}
		b.Watched = append(b.Watched, watched...)
	}
	b.Writes, err = nodes(spec, "write", tags/writeStride, writeStride)
	return b, err
}

// nodes are those of an operation, every so many tags one; none where the scenario has no such operation.
func nodes(spec *sdk.Spec, operation string, most, stride int64) ([]string, error) {
	items := spec.Operations[operation].Items
	if items > most {
		return nil, fmt.Errorf("operations.%s.items: expected at most %d, found %d", operation, most, items)
	}
	named := make([]string, items)
	for position := range items {
		named[position] = fmt.Sprintf("ns=1;s=T%04d", position*stride)
	}
	return named, nil
}

// Value is what the write of a sequence puts at a position: an int32, a float64 or a string.
func (b *NodeLists) Value(position int, sequence int64) any {
	if b.wrongType && position == 0 {
		return "not an Int32"
	}
	return tagValue(int64(position)*writeStride, sequence)
}

func tagValue(tag, sequence int64) any {
	x := (tag*7919 + sequence*104729) & (1<<31 - 1)
	switch {
	case tag < firstDouble:
		return int32(x)
	case tag < firstString:
		return float64(x) / 1000
	default:
		return fmt.Sprintf("tag%04d-%010d", tag, x)
	}
}

// sequenceOf says which values the write of a tick writes.
func sequenceOf(phase sdk.Phase, tick int64) int64 {
	if phase == sdk.Preflight {
		return preflightSequence + tick
	}
	return measureSequence + tick
}
