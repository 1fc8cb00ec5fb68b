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
	// Twins are the same values but for one field each.
	Twins []N
	// Wanted are the values, and the twins, that nobody changes.
	Wanted, WantedTwins []N
	// Texts are the lengths of their JSON in bytes of UTF-8, after which the baseline copies.
	Texts []int
}

func readPool[N any](suite, step string) (Pool[N], error) {
	var pool Pool[N]
	path := filepath.Join(suite, "shapes", step+".json")
	ofTwins := filepath.Join(suite, "shapes", "twins", step+".json")
	for _, list := range []struct {
		path string
		into *[]N
	}{{path, &pool.Values}, {ofTwins, &pool.Twins}, {ofTwins, &pool.WantedTwins}, {path, &pool.Wanted}} {
		values, texts, err := readInstances[N](list.path, step)
		if err != nil {
			return Pool[N]{}, err
		}
		*list.into, pool.Texts = values, texts
	}
	if len(pool.Twins) != len(pool.Values) {
		return Pool[N]{}, fmt.Errorf("%s has %d instances and %d twins", step, len(pool.Values), len(pool.Twins))
	}
	return pool, nil
}

// readInstances gives the values of a file and the lengths of their JSON.
func readInstances[N any](path, step string) ([]N, []int, error) {
	var file struct {
		Shape string            `json:"shape"`
		Pool  []json.RawMessage `json:"pool"`
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, fmt.Errorf("pool: %w", err)
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, nil, fmt.Errorf("%s is not a pool: %w", path, err)
	}
	if file.Shape != step || len(file.Pool) == 0 {
		return nil, nil, fmt.Errorf("%s is not the pool of %s", path, step)
	}
	values, texts := make([]N, len(file.Pool)), make([]int, len(file.Pool))
	for i, instance := range file.Pool {
		// The files are written without white space, so that these bytes are the compact text.
		texts[i] = len(instance)
		if err := json.Unmarshal(instance, &values[i]); err != nil {
			return nil, nil, fmt.Errorf("%s, instance %d: %w", path, i, err)
		}
	}
	return values, texts, nil
}

func unknownStep(step string) error {
	return fmt.Errorf("no shape is called %q", step)
}
