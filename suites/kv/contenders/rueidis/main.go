// rueidis is github.com/redis/rueidis: MGET of packed records, and hashes of single ones, over shared
// connections.
package main

import (
	"context"

	"github.com/redis/rueidis"
	"wirelab.dev/kv"
	"wirelab.dev/sdk"
)

func main() {
	kv.Main(kv.Contender[[]string]{
		Library: sdk.Module("rueidis", "github.com/redis/rueidis"),
		Prepare: kv.PackedNames,
		Connect: connect,
		Errors:  sdk.Errors{Disconnected: []error{rueidis.ErrClosing}},
	})
}

type store struct {
	client rueidis.Client
}

// connect makes the client, which connects when it is made and afterwards keeps itself connected.
func connect(_ context.Context, address string, spec *sdk.Spec) (kv.Store[[]string], error) {
	options := rueidis.ClientOption{
		InitAddress: []string{address}, ConnWriteTimeout: spec.Limits.Operation(),
	}
	options.Dialer.Timeout = spec.Limits.Operation()
	client, err := rueidis.NewClient(options)
	return &store{client}, err
}

func (s *store) Read(ctx context.Context, keys []string) (kv.Rows, error) {
	values, err := s.client.Do(ctx, s.client.B().Mget().Key(keys...).Build()).ToArray()
	return kv.PackedRows(len(values), texts(values), err)
}

func (s *store) ReadRecord(ctx context.Context, key string) ([][]byte, error) {
	return record(s.client.Do(ctx, get(s.client.B(), key)))
}

func (s *store) WriteRecord(ctx context.Context, key string, from int, values [][]byte) error {
	return s.client.Do(ctx, set(s.client.B(), key, from, values...)).Error()
}

func (s *store) InsertRecord(ctx context.Context, key string, values [][]byte) error {
	return s.client.Do(ctx, set(s.client.B(), key, 0, values...)).Error()
}

// ModifyRecord has a connection to itself: WATCH makes EXEC fail where another one has written since.
func (s *store) ModifyRecord(ctx context.Context, key string, from int, values [][]byte) (found [][]byte, err error) {
	err = s.client.Dedicated(func(own rueidis.DedicatedClient) error {
		for {
			if err := own.Do(ctx, own.B().Watch().Key(key).Build()).Error(); err != nil {
				return err
			}
			if found, err = record(own.Do(ctx, get(own.B(), key))); err != nil {
				return err
			}
			ended := own.DoMulti(ctx,
				own.B().Multi().Build(), set(own.B(), key, from, values...), own.B().Exec().Build())
			if err := ended[len(ended)-1].Error(); !rueidis.IsRedisNil(err) {
				return err
			}
		}
	})
	return found, err
}

func get(commands rueidis.Builder, key string) rueidis.Completed {
	return commands.Hmget().Key(key).Field(kv.FieldNames[:]...).Build()
}

func set(commands rueidis.Builder, key string, from int, values ...[]byte) rueidis.Completed {
	pairs := commands.Hset().Key(key).FieldValue()
	for i, value := range values {
		pairs = pairs.FieldValue(kv.FieldNames[from+i], rueidis.BinaryString(value))
	}
	return pairs.Build()
}

func record(found rueidis.RedisResult) ([][]byte, error) {
	values, err := found.ToArray()
	return kv.FieldsOf(texts(values), err)
}

func texts(values []rueidis.RedisMessage) func(int) (string, bool) {
	return func(number int) (string, bool) {
		text, err := values[number].ToString()
		return text, err == nil
	}
}

func (s *store) Close() error {
	s.client.Close()
	return nil
}
