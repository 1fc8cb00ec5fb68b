// aerospike-go is github.com/aerospike/aerospike-client-go/v8: BatchGet of whole records.
package main

import (
	"context"
	"fmt"

	as "github.com/aerospike/aerospike-client-go/v8"
	"github.com/aerospike/aerospike-client-go/v8/types"
	"wirelab.dev/kv"
	"wirelab.dev/sdk"
)

const namespace = "wirelab"

func main() {
	kv.Main(kv.Contender[[]*as.Key]{
		Library: sdk.Module("aerospike-client-go", "github.com/aerospike/aerospike-client-go/v8"),
		Prepare: prepare,
		Connect: connect,
		Errors: sdk.Errors{
			Timeout: []error{as.ErrTimeout},
			// Matched by their codes: the network's, no connection left, no node left.
			Disconnected: []error{as.ErrNetwork, as.ErrConnectionPoolEmpty, as.ErrClusterIsEmpty},
			Own: sdk.Own(func(said *as.AerospikeError) string {
				return types.ResultCodeToString(said.ResultCode)
			}),
		},
	})
}

func prepare(set int64, keys []string) ([]*as.Key, error) {
	prepared := make([]*as.Key, len(keys))
	for i, key := range keys {
		made, err := as.NewKey(namespace, fmt.Sprintf("set_%d", set), key)
		if err != nil {
			return nil, err
		}
		prepared[i] = made
	}
	return prepared, nil
}

type store struct {
	client *as.Client
	policy *as.BatchPolicy
}

// connect makes the client, which finds the cluster's nodes when it is made.
func connect(_ context.Context, address string, spec *sdk.Spec) (kv.Store[[]*as.Key], error) {
	policy := as.NewBatchPolicy()
	concurrent, err := sdk.Parameter(spec, "concurrent_nodes", int64(policy.ConcurrentNodes))
	if err != nil {
		return nil, err
	}
	policy.ConcurrentNodes = int(concurrent)
	hosts, err := as.NewHosts(address)
	if err != nil {
		return nil, err
	}
	// The library takes no context: nothing else ends its calls.
	limit := spec.Limits.Operation()
	policy.TotalTimeout = limit
	connecting := as.NewClientPolicy()
	connecting.Timeout = min(connecting.Timeout, limit)
	client, err := as.NewClientWithPolicyAndHost(connecting, hosts...)
	return &store{client, policy}, err
}

func (s *store) Read(_ context.Context, keys []*as.Key) (kv.Rows, error) {
	records, failed := s.client.BatchGet(s.policy, keys)
	if failed != nil {
		return nil, failed
	}
	rows, content := make(kv.Rows, len(records)), make([]kv.Row, len(records))
	for i, record := range records {
		if record == nil {
			continue
		}
		if err := convert(record.Bins, &content[i]); err != nil {
			return nil, fmt.Errorf("key %v: %w", keys[i], err)
		}
		rows[i] = &content[i]
	}
	return rows, nil
}

var (
	integers = [kv.Integers]string{"c0", "c1", "c2", "c3", "c4"}
	doubles  = [kv.Doubles]string{"d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7"}
)

// convert makes a plain row of the map that the library decodes a record into.
func convert(bins as.BinMap, row *kv.Row) error {
	for j, name := range integers {
		value, ok := bins[name].(int)
		if !ok {
			return fmt.Errorf("bin %s is a %T", name, bins[name])
		}
		row.C[j] = int64(value)
	}
	for j, name := range doubles {
		value, ok := bins[name].(float64)
		if !ok {
			return fmt.Errorf("bin %s is a %T", name, bins[name])
		}
		row.D[j] = value
	}
	return nil
}

func (s *store) Close() error {
	s.client.Close()
	return nil
}
