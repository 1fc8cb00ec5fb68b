// gopcua is github.com/gopcua/opcua: the services Read and Write of its client.
package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	gopcua "github.com/gopcua/opcua"
	"github.com/gopcua/opcua/ua"
	"wirelab.dev/opcua"
	"wirelab.dev/sdk"
)

// Bits that are not all zero where a status is not good.
const severity = 0xC000_0000

func main() {
	opcua.Main(opcua.Contender{
		Library: sdk.Module("gopcua", "github.com/gopcua/opcua"),
		Make:    newClient,
		Errors: sdk.Errors{
			Timeout: []error{ua.StatusBadTimeout, ua.StatusBadRequestTimeout},
			Disconnected: []error{
				ua.StatusBadConnectionClosed, ua.StatusBadSecureChannelClosed, ua.StatusBadSecureChannelIDInvalid,
				ua.StatusBadServerNotConnected, ua.StatusBadNotConnected, ua.StatusBadSessionClosed,
				ua.StatusBadSessionIDInvalid, ua.StatusBadSessionNotActivated, ua.StatusBadShutdown,
			},
			Own: sdk.Own(func(code ua.StatusCode) string { return ua.StatusCodes[code].Name }),
		},
	})
}

// client opens sessions that have their requests in common.
type client struct {
	url       string
	options   []gopcua.Option
	security  security
	nodeLists *opcua.NodeLists
	reads     *ua.ReadRequest
	polls     *ua.ReadRequest
	writes    []*ua.NodeID
}

func newClient(spec *sdk.Spec, nodeLists *opcua.NodeLists) (opcua.Library, error) {
	c := &client{url: spec.Endpoints["server"], nodeLists: nodeLists}
	requestNS, err := sdk.Parameter(spec, "request_timeout_ns", int64(4*time.Second))
	sessionNS, sessionErr := sdk.Parameter(spec, "session_timeout_ns", int64(0))
	reconnectMS, reconnectErr := sdk.Parameter(spec, "reconnect_interval_ms", int64(500))
	secured, securityErr := securityOf(spec)
	c.security = secured
	if err := errors.Join(err, sessionErr, reconnectErr, securityErr); err != nil {
		return nil, err
	}
	timeout := time.Duration(requestNS)
	c.options = []gopcua.Option{
		gopcua.RequestTimeout(timeout), gopcua.DialTimeout(timeout), gopcua.AutoReconnect(true),
		gopcua.ReconnectInterval(time.Duration(reconnectMS) * time.Millisecond),
	}
	if sessionNS > 0 {
		c.options = append(c.options, gopcua.SessionTimeout(time.Duration(sessionNS)))
	}
	return c, c.name()
}

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

func (c *client) Prepare(ctx context.Context) error {
	return c.security.choose(ctx, c.url, c.options)
}

func (c *client) Open(ctx context.Context) (opcua.Session, error) {
	connection, err := gopcua.NewClient(c.url, slices.Concat(c.options, c.security.options)...)
	if err == nil {
		err = connection.Connect(ctx)
	}
	if err != nil {
		return nil, err
	}
	return session{c, connection}, nil
}

type session struct {
	*client
	connection *gopcua.Client
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

func (s session) Close(ctx context.Context) error { return s.connection.Close(ctx) }

func bad(count int, status func(int) ua.StatusCode) []opcua.BadItem {
	var found []opcua.BadItem
	for i := range count {
		if code := status(i); code&severity != 0 {
			name := ua.StatusCodes[code].Name
			found = append(found, opcua.BadItem{
				Position: i, Class: "ua.StatusCode", Status: name, Name: standard(name), Text: ua.StatusCodes[code].Text,
			})
		}
	}
	return found
}

// standard spells a status as the standard does.
func standard(name string) string {
	return strings.ReplaceAll(strings.TrimPrefix(name, "Status"), "ID", "Id")
}
