// rueidis is github.com/redis/rueidis: MGET of packed records, and hashes of single ones, over shared
// connections.
package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/redis/rueidis"
	"wirelab.dev/kv"
	"wirelab.dev/sdk"
)

func main() {
	kv.Main(sdk.Module("rueidis", "github.com/redis/rueidis"), connect)
}

type store struct {
	options rueidis.ClientOption
	mutex   sync.Mutex
	client  rueidis.Client
}

func connect(_ context.Context, spec *sdk.Spec) (kv.Store[[]string], error) {
	address, unnamed := kv.Endpoint(spec)
	late, err := kv.ConnectsLate(spec)
	if err := errors.Join(unnamed, err); err != nil {
		return nil, err
	}
	limit := time.Duration(spec.Limits.OperationNS)
	options := rueidis.ClientOption{InitAddress: []string{address}, ConnWriteTimeout: limit}
	options.Dialer.Timeout = limit
	s := &store{options: options}
	if !late {
		_, err = s.connected()
	}
	return s, err
}

// connected gives the client, which connects when it is made and afterwards keeps itself connected.
func (s *store) connected() (rueidis.Client, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.client == nil {
		made, err := rueidis.NewClient(s.options)
		if err != nil {
			return nil, err
		}
		s.client = made
	}
	return s.client, nil
}

func (s *store) Prepare(set int64, keys []string) ([]string, error) { return kv.PackedNames(set, keys) }

func (s *store) Read(ctx context.Context, keys []string) (kv.Rows, error) {
	client, err := s.connected()
	if err != nil {
		return nil, err
	}
	values, err := client.Do(ctx, client.B().Mget().Key(keys...).Build()).ToArray()
	return kv.PackedRows(len(values), texts(values), err)
}

func (s *store) ReadRecord(ctx context.Context, key string) ([][]byte, error) {
	return record(s.client.Do(ctx, get(s.client.B(), key)))
}

func (s *store) WriteRecord(ctx context.Context, key string, field int, value []byte) error {
	return s.client.Do(ctx, set(s.client.B(), key, field, value)).Error()
}

func (s *store) InsertRecord(ctx context.Context, key string, values [][]byte) error {
	return s.client.Do(ctx, set(s.client.B(), key, 0, values...)).Error()
}

// ModifyRecord has a connection to itself: WATCH makes EXEC fail where another one has written since.
func (s *store) ModifyRecord(ctx context.Context, key string, field int, value []byte) (found [][]byte, err error) {
	err = s.client.Dedicated(func(own rueidis.DedicatedClient) error {
		for {
			if err := own.Do(ctx, own.B().Watch().Key(key).Build()).Error(); err != nil {
				return err
			}
			if found, err = record(own.Do(ctx, get(own.B(), key))); err != nil {
				return err
			}
			ended := own.DoMulti(ctx,
				own.B().Multi().Build(), set(own.B(), key, field, value), own.B().Exec().Build())
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

func (s *store) Explain(err error) (status uint8, class, name string) {
	var said *rueidis.RedisError
	switch {
	case errors.As(err, &said):
		return sdk.Failed, "rueidis.RedisError", ""
	case errors.Is(err, rueidis.ErrClosing):
		return sdk.Disconnected, "rueidis.ErrClosing", ""
	}
	return sdk.NetworkStatus(err), fmt.Sprintf("%T", err), ""
}

func (s *store) Close() error {
	if s.client != nil {
		s.client.Close()
	}
	return nil
}
