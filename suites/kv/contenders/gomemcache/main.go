// gomemcache is github.com/bradfitz/gomemcache: gets of packed records, and single ones as one value.
package main

import (
	"context"
	"errors"

	"github.com/bradfitz/gomemcache/memcache"
	"wirelab.dev/kv"
	"wirelab.dev/sdk"
)

func main() {
	kv.Main(kv.Contender[[]string]{
		Library: sdk.Module("gomemcache", "github.com/bradfitz/gomemcache"),
		Prepare: kv.PackedNames,
		Connect: connect,
	})
}

type store struct {
	client *memcache.Client
}

func connect(_ context.Context, address string, spec *sdk.Spec) (kv.Store[[]string], error) {
	kept, err := sdk.Parameter(spec, "kept_connections", int64(64))
	if err != nil {
		return nil, err
	}
	client := memcache.New(address)
	client.MaxIdleConns = int(kept)
	client.Timeout = spec.Limits.Operation()
	return &store{client}, nil
}

// Ping connects, which the library does when it is first used.
func (s *store) Ping(context.Context) error { return s.client.Ping() }

func (s *store) Read(_ context.Context, keys []string) (kv.Rows, error) {
	items, err := s.client.GetMulti(keys)
	at := func(key int) ([]byte, bool) {
		item, found := items[keys[key]]
		if !found {
			return nil, false
		}
		return item.Value, true
	}
	return kv.PackedRows(len(keys), at, err)
}

// HasWholeRecords says that memcached knows no fields.
func (s *store) HasWholeRecords() {}

func (s *store) ReadRecord(_ context.Context, key string) ([][]byte, error) {
	item, err := s.client.Get(key)
	if err != nil {
		return nil, err
	}
	return kv.Parted(item.Value), nil
}

func (s *store) WriteRecord(_ context.Context, key string, _ int, values [][]byte) error {
	return s.client.Replace(&memcache.Item{Key: key, Value: kv.Joined(values)})
}

func (s *store) InsertRecord(_ context.Context, key string, values [][]byte) error {
	return s.client.Add(&memcache.Item{Key: key, Value: kv.Joined(values)})
}

// ModifyRecord sends the version with the value, which the item keeps.
func (s *store) ModifyRecord(_ context.Context, key string, _ int, values [][]byte) ([][]byte, error) {
	for {
		item, err := s.client.Get(key)
		if err != nil {
			return nil, err
		}
		found := kv.Parted(item.Value)
		item.Value = kv.Joined(values)
		if err = s.client.CompareAndSwap(item); !errors.Is(err, memcache.ErrCASConflict) {
			return found, err
		}
	}
}

func (s *store) Close() error { return s.client.Close() }
