package codec

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// Pool is the instances of a shape.
type Pool[N any] struct {
	Values []N
	// Texts are the lengths of their JSON in bytes of UTF-8, after which the baseline copies.
	Texts []int
}

func readPool[N any](suite, step string) (Pool[N], error) {
	var file struct {
		Shape string            `json:"shape"`
		Pool  []json.RawMessage `json:"pool"`
	}
	path := filepath.Join(suite, "shapes", step+".json")
	text, err := os.ReadFile(path)
	if err != nil {
		return Pool[N]{}, fmt.Errorf("pool: %w", err)
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return Pool[N]{}, fmt.Errorf("%s is not a pool: %w", path, err)
	}
	if file.Shape != step || len(file.Pool) == 0 {
		return Pool[N]{}, fmt.Errorf("%s is not the pool of %s", path, step)
	}
	pool := Pool[N]{Values: make([]N, len(file.Pool)), Texts: make([]int, len(file.Pool))}
	for i, instance := range file.Pool {
		// The files are written without white space, so that these bytes are the compact text.
		pool.Texts[i] = len(instance)
		if err := json.Unmarshal(instance, &pool.Values[i]); err != nil {
			return Pool[N]{}, fmt.Errorf("%s, instance %d: %w", path, i, err)
		}
	}
	return pool, nil
}

func unknownStep(step string) error {
	return fmt.Errorf("no shape is called %q", step)
}
