// go-redis is github.com/redis/go-redis/v9: MGET of packed records, and hashes of single ones.
package main

import (
	"context"
	"errors"

	"github.com/redis/go-redis/v9"
	"wirelab.dev/kv"
	"wirelab.dev/sdk"
)

func main() {
	kv.Main(kv.Contender[[]string]{
		Library: sdk.Module("go-redis", "github.com/redis/go-redis/v9"),
		Prepare: kv.PackedNames,
		Connect: connect,
	})
}

type store struct {
	client *redis.Client
}

func connect(_ context.Context, address string, spec *sdk.Spec) (kv.Store[[]string], error) {
	pool, err := sdk.Parameter(spec, "pool", int64(0))
	if err == nil && pool == 0 {
		pool, err = sdk.Parameter(spec, "pool_size", int64(0))
	}
	if err != nil {
		return nil, err
	}
	return &store{redis.NewClient(&redis.Options{
		Addr:     address,
		PoolSize: int(pool),
		// Without it the deadline of a call's context does not end a read that is under way.
		ContextTimeoutEnabled: true,
		DialTimeout:           spec.Limits.Operation(),
		ReadTimeout:           spec.Limits.Operation(),
		WriteTimeout:          spec.Limits.Operation(),
	})}, nil
}

// Ping connects, which the library does when it is first used.
func (s *store) Ping(ctx context.Context) error { return s.client.Ping(ctx).Err() }

func (s *store) Read(ctx context.Context, keys []string) (kv.Rows, error) {
	values, err := s.client.MGet(ctx, keys...).Result()
	return kv.PackedRows(len(values), texts(values), err)
}

func (s *store) ReadRecord(ctx context.Context, key string) ([][]byte, error) {
	return record(s.client.HMGet(ctx, key, kv.FieldNames[:]...))
}

func (s *store) WriteRecord(ctx context.Context, key string, from int, values [][]byte) error {
	return s.client.HSet(ctx, key, kv.FieldPairs(from, values...)...).Err()
}

func (s *store) InsertRecord(ctx context.Context, key string, values [][]byte) error {
	return s.client.HSet(ctx, key, kv.FieldPairs(0, values...)...).Err()
}

// ModifyRecord has a connection to itself: WATCH makes EXEC fail where another one has written since.
func (s *store) ModifyRecord(ctx context.Context, key string, from int, values [][]byte) (found [][]byte, err error) {
	change := func(own *redis.Tx) error {
		if found, err = record(own.HMGet(ctx, key, kv.FieldNames[:]...)); err != nil {
			return err
		}
		_, err = own.TxPipelined(ctx, func(queued redis.Pipeliner) error {
			return queued.HSet(ctx, key, kv.FieldPairs(from, values...)...).Err()
		})
		return err
	}
	for err = redis.TxFailedErr; errors.Is(err, redis.TxFailedErr); {
		err = s.client.Watch(ctx, change, key)
	}
	return found, err
}

func record(found *redis.SliceCmd) ([][]byte, error) {
	return kv.FieldsOf(texts(found.Val()), found.Err())
}

func texts(values []any) func(int) (string, bool) {
	return func(number int) (string, bool) {
		text, there := values[number].(string)
		return text, there
	}
}

func (s *store) Close() error { return s.client.Close() }
