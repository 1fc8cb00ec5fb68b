// aerospike-go is github.com/aerospike/aerospike-client-go/v8: BatchGet of whole records.
package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync"
	"time"

	as "github.com/aerospike/aerospike-client-go/v8"
	"github.com/aerospike/aerospike-client-go/v8/types"
	"wirelab.dev/kv"
	"wirelab.dev/sdk"
)

const namespace = "wirelab"

func main() {
	kv.Main(sdk.Module("aerospike-client-go", "github.com/aerospike/aerospike-client-go/v8"), connect)
}

type store struct {
	host   string
	port   int
	policy *as.BatchPolicy
	// Of the first connection to the cluster.
	timeout time.Duration

	mutex  sync.Mutex
	client *as.Client
}

func connect(_ context.Context, spec *sdk.Spec) (kv.Store[[]*as.Key], error) {
	endpoint, err := kv.Endpoint(spec)
	if err != nil {
		return nil, err
	}
	host, number, err := net.SplitHostPort(endpoint)
	if err != nil {
		return nil, err
	}
	port, err := strconv.Atoi(number)
	if err != nil {
		return nil, fmt.Errorf("endpoint %s: %w", endpoint, err)
	}
	policy := as.NewBatchPolicy()
	concurrent, err := sdk.Parameter(spec, "concurrent_nodes", int64(policy.ConcurrentNodes))
	if err != nil {
		return nil, err
	}
	policy.ConcurrentNodes = int(concurrent)
	// The library takes no context: nothing else ends its calls.
	limit := time.Duration(spec.Limits.OperationNS)
	policy.TotalTimeout = min(policy.TotalTimeout, limit)
	s := &store{host: host, port: port, policy: policy, timeout: limit}
	late, err := kv.ConnectsLate(spec)
	if err == nil && !late {
		_, err = s.connected()
	}
	return s, err
}

// connected gives the client, which finds the cluster's nodes when it is made.
func (s *store) connected() (*as.Client, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.client == nil {
		policy := as.NewClientPolicy()
		policy.Timeout = min(policy.Timeout, s.timeout)
		client, err := as.NewClientWithPolicy(policy, s.host, s.port)
		if err != nil {
			return nil, err
		}
		s.client = client
	}
	return s.client, nil
}

func (s *store) Prepare(set int64, keys []string) ([]*as.Key, error) {
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

func (s *store) Read(_ context.Context, keys []*as.Key) (kv.Rows, error) {
	client, err := s.connected()
	if err != nil {
		return nil, err
	}
	records, failed := client.BatchGet(s.policy, keys)
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

func (s *store) Explain(err error) (status uint8, class, name string) {
	var said *as.AerospikeError
	if !errors.As(err, &said) {
		return sdk.NetworkStatus(err), fmt.Sprintf("%T", err), ""
	}
	name = types.ResultCodeToString(said.ResultCode)
	switch said.ResultCode {
	case types.TIMEOUT, types.QUERY_TIMEOUT:
		return sdk.Timeout, "AerospikeError", name
	case types.NETWORK_ERROR, types.NO_AVAILABLE_CONNECTIONS_TO_NODE, types.INVALID_NODE_ERROR:
		return disconnected(err), "AerospikeError", name
	default:
		return sdk.Failed, "AerospikeError", name
	}
}

// disconnected is the status of an error of the network whose cause the library may not tell.
func disconnected(err error) uint8 {
	if status := sdk.NetworkStatus(err); status != sdk.Failed {
		return status
	}
	return sdk.Disconnected
}

func (s *store) Close() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.client != nil {
		s.client.Close()
	}
	return nil
}
