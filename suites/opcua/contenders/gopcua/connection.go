package main

import (
	"context"
	"errors"
	"slices"
	"time"

	gopcua "github.com/gopcua/opcua"
	"github.com/gopcua/opcua/ua"
	"wirelab.dev/opcua"
	"wirelab.dev/sdk"
)

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

func (s session) Close(ctx context.Context) error { return s.connection.Close(ctx) }
