package main

import (
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"wirelab.dev/sdk"
)

const mostBytes = 16 << 20

// serve is a NATS server in a process of its own, embedded, with its streams in the trial's folder.
func serve(w *sdk.Worker) error {
	synced, err := sdk.Parameter(w.Spec, "journal_sync", true)
	if err != nil {
		return err
	}
	host, listen, err := net.SplitHostPort(w.Spec.Listen)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", w.Spec.Listen, err)
	}
	port, err := strconv.Atoi(listen)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", w.Spec.Listen, err)
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	broker, err := server.NewServer(&server.Options{
		ServerName: "wirelab",
		Host:       host,
		Port:       port,
		NoSigs:     true,
		NoLog:      true,
		MaxPayload: mostBytes,
		JetStream:  true,
		StoreDir:   filepath.Join(w.Spec.Paths.Scratch, "broker"),
		// Without it what is written is synced every two minutes, the server's default.
		SyncAlways: synced,
	})
	if err != nil {
		return err
	}
	broker.Start()
	defer broker.WaitForShutdown()
	defer broker.Shutdown()
	if !broker.ReadyForConnections(time.Duration(w.Spec.Limits.ReadyNS)) || !broker.JetStreamEnabled() {
		return errors.New("the server did not start within its limit, or has no JetStream")
	}
	if err := w.Ready(sdk.Ready{
		Library:  sdk.Module("nats-server", "github.com/nats-io/nats-server/v2"),
		Endpoint: broker.ClientURL(),
		Facts:    map[string]any{"journal": "file", "journal_sync": synced},
	}); err != nil {
		return err
	}
	<-w.Stopped()
	return nil
}
