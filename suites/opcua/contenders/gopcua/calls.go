package main

import (
	"context"
	"errors"

	"github.com/gopcua/opcua/ua"
	"wirelab.dev/opcua"
)

// name puts nodes into the library's form.
func (c *client) name() error {
	reads, err := readOf(c.nodeLists.Reads)
	polls, pollsErr := readOf(c.nodeLists.Watched)
	writes, writesErr := nodes(c.nodeLists.Writes)
	c.reads, c.polls, c.writes = reads, polls, writes
	return errors.Join(err, pollsErr, writesErr)
}

func readOf(named []string) (*ua.ReadRequest, error) {
	parsed, err := nodes(named)
	request := &ua.ReadRequest{TimestampsToReturn: ua.TimestampsToReturnSource}
	for _, node := range parsed {
		request.NodesToRead = append(request.NodesToRead, &ua.ReadValueID{NodeID: node, AttributeID: ua.AttributeIDValue})
	}
	return request, err
}

func nodes(named []string) ([]*ua.NodeID, error) {
	parsed := make([]*ua.NodeID, len(named))
	for i, name := range named {
		node, err := ua.ParseNodeID(name)
		if err != nil {
			return nil, err
		}
		parsed[i] = node
	}
	return parsed, nil
}

func (s session) Read(ctx context.Context) (opcua.Results, error) {
	response, err := s.connection.Read(ctx, s.reads)
	if err != nil {
		return opcua.Results{}, err
	}
	results := response.Results
	return opcua.Results{
		Count: len(results),
		Bad:   bad(len(results), func(i int) ua.StatusCode { return results[i].Status }),
		Value: func(i int) any { return results[i].Value.Value() },
	}, nil
}

func (s session) Writing(sequence int64) func(ctx context.Context) (opcua.Results, error) {
	request := &ua.WriteRequest{NodesToWrite: make([]*ua.WriteValue, len(s.writes))}
	for i, node := range s.writes {
		// Only the value: a server need not accept a status or a timestamp from a client.
		request.NodesToWrite[i] = &ua.WriteValue{
			NodeID: node, AttributeID: ua.AttributeIDValue,
			Value: &ua.DataValue{
				EncodingMask: ua.DataValueValue, Value: ua.MustVariant(s.nodeLists.Value(i, sequence)),
			},
		}
	}
	return func(ctx context.Context) (opcua.Results, error) {
		response, err := s.connection.Write(ctx, request)
		if err != nil {
			return opcua.Results{}, err
		}
		codes := response.Results
		return opcua.Results{
			Count: len(codes), Bad: bad(len(codes), func(i int) ua.StatusCode { return codes[i] }),
		}, nil
	}
}
