// go-redis is github.com/redis/go-redis/v9: MGET of packed records.
package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
	"wirelab.dev/kv"
	"wirelab.dev/sdk"
)

func main() {
	kv.Main(sdk.Module("go-redis", "github.com/redis/go-redis/v9"), connect)
}

type store struct {
	client *redis.Client
}

func connect(ctx context.Context, spec *sdk.Spec) (kv.Store[[]string], error) {
	address, err := kv.Endpoint(spec)
	if err != nil {
		return nil, err
	}
	pool, err := sdk.Parameter(spec, "pool_size", int64(0))
	if err != nil {
		return nil, err
	}
	limit := time.Duration(spec.Limits.OperationNS)
	client := redis.NewClient(&redis.Options{
		Addr:     address,
		PoolSize: int(pool),
		// Without it the deadline of a call's context does not end a read that is under way.
		ContextTimeoutEnabled: true,
		ReadTimeout:           limit,
		WriteTimeout:          limit,
	})
	late, err := kv.ConnectsLate(spec)
	if err == nil && !late {
		// The library connects when it is first used.
		err = client.Ping(ctx).Err()
	}
	return &store{client}, err
}

func (s *store) Prepare(set int64, keys []string) ([]string, error) {
	named := make([]string, len(keys))
	for i, key := range keys {
		named[i] = fmt.Sprintf("wirelab:set_%d:%s", set, key)
	}
	return named, nil
}

func (s *store) Read(ctx context.Context, keys []string) (kv.Rows, error) {
	values, err := s.client.MGet(ctx, keys...).Result()
	if err != nil {
		return nil, err
	}
	rows, content := make(kv.Rows, len(values)), make([]kv.Row, len(values))
	for i, value := range values {
		if value == nil {
			continue
		}
		packed, ok := value.(string)
		if !ok {
			return nil, fmt.Errorf("key %s holds a %T", keys[i], value)
		}
		if err := kv.Unpack(packed, &content[i]); err != nil {
			return nil, fmt.Errorf("key %s: %w", keys[i], err)
		}
		rows[i] = &content[i]
	}
	return rows, nil
}

func (s *store) Explain(err error) (status uint8, class, name string) {
	var said redis.Error
	if errors.As(err, &said) {
		return sdk.Failed, "redis.Error", ""
	}
	return sdk.NetworkStatus(err), fmt.Sprintf("%T", err), ""
}

func (s *store) Close() error { return s.client.Close() }
