package kv

import (
	"fmt"
	"strconv"
)

// multiGetsPerStep is how many different multi-gets lanes ask for in a step.
const multiGetsPerStep = 64

// mix is the finaliser of splitmix64, which everything random follows from.
func mix(x uint64) uint64 {
	z := x + 0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// multiGetOf is the number of the multi-get that a lane asks for at a tick.
func multiGetOf(tick, lane int64) uint64 {
	return mix(uint64(tick)<<16|uint64(lane)) % multiGetsPerStep
}

// draw says which multi-gets a step has.
type draw struct {
	set, keys, universe int64
	repeated            bool
}

func (d draw) check() error {
	if d.set < 1 || d.keys < 1 || d.universe < 1 {
		return fmt.Errorf("set %d with %d keys of %d cannot be read", d.set, d.keys, d.universe)
	}
	return nil
}

// multiGet gives the keys of a multi-get: "k0" … "k9999".
func (d draw) multiGet(seed, number uint64) []string {
	base := mix(mix(seed) ^ (uint64(d.set)<<48 | uint64(d.keys)<<32 | number))
	keys := make([]string, d.keys)
	for i := range keys {
		at := uint64(i)
		if d.repeated {
			at = 0
		}
		keys[i] = "k" + strconv.FormatUint(mix(base+at)%uint64(d.universe), 10)
	}
	return keys
}
