// rueidis is github.com/redis/rueidis: MGET of packed records over shared connections.
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
	address, err := kv.Endpoint(spec)
	if err != nil {
		return nil, err
	}
	late, err := kv.ConnectsLate(spec)
	if err != nil {
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

func (s *store) Prepare(set int64, keys []string) ([]string, error) {
	named := make([]string, len(keys))
	for i, key := range keys {
		named[i] = fmt.Sprintf("wirelab:set_%d:%s", set, key)
	}
	return named, nil
}

func (s *store) Read(ctx context.Context, keys []string) (kv.Rows, error) {
	client, err := s.connected()
	if err != nil {
		return nil, err
	}
	values, err := client.Do(ctx, client.B().Mget().Key(keys...).Build()).ToArray()
	if err != nil {
		return nil, err
	}
	rows, content := make(kv.Rows, len(values)), make([]kv.Row, len(values))
	for i := range values {
		packed, err := values[i].ToString()
		if rueidis.IsRedisNil(err) {
			continue
		}
		if err == nil {
			err = kv.Unpack(packed, &content[i])
		}
		if err != nil {
			return nil, fmt.Errorf("key %s: %w", keys[i], err)
		}
		rows[i] = &content[i]
	}
	return rows, nil
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
