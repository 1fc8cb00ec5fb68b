package opcua

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	"wirelab.dev/sdk"
)

// caller is a client on ticks, with one session and, in some scenarios, further ones beside it.
type caller struct {
	client
	watch *watch // nil where nothing is watched

	// Held while a session is opened: two attempts at a time would be two sessions.
	opening sync.Mutex
	mutex   sync.Mutex
	session Session

	// Until the last of the further sessions is closed.
	closing sync.WaitGroup
}

func playTicks(w *sdk.Worker, ready sdk.Ready, client client) error {
	watched, err := watchOf(w.Spec, client.nodeLists)
	if err != nil {
		return err
	}
	c := &caller{client: client, watch: watched}
	when, err := sdk.Parameter(w.Spec, "connect", "before")
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if when == "before" {
		err := c.connect(ctx)
		if err == nil && c.watch != nil {
			err = c.watch.begin(ctx, c.session)
		}
		if err != nil {
			return *c.errors.Outcome(ctx, err).Fault
		}
		if err := w.Preflight(c.actions(sdk.Preflight)(0)); err != nil {
			return err
		}
	}
	if err := w.Ready(ready); err != nil {
		return err
	}
	if err := w.Follow(c.actions(sdk.Measure)); err != nil {
		return err
	}
	c.close(time.Duration(w.Spec.Limits.StopNS / 4))
	return nil
}

// actions are connecting, or everything else.
func (c *caller) actions(phase sdk.Phase) func(tick int64) map[string]sdk.Action {
	return func(tick int64) map[string]sdk.Action {
		session := c.opened()
		if session == nil {
			return map[string]sdk.Action{"connect": c.connecting}
		}
		actions := map[string]sdk.Action{
			"read": func(ctx context.Context, call *sdk.Call) sdk.Outcome {
				return c.read(ctx, session, call)
			},
			"write":   c.writing(session, phase, tick),
			"session": c.openFurther,
		}
		if c.watch != nil {
			actions["notification"], actions["poll"] = c.watch.action(c.errors), c.watch.action(c.errors)
		}
		return actions
	}
}

func (c *caller) opened() Session {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.session
}

func (c *caller) connect(ctx context.Context) error {
	c.opening.Lock()
	defer c.opening.Unlock()
	if c.opened() != nil {
		return nil
	}
	if err := c.library.Prepare(ctx); err != nil {
		return err
	}
	session, err := c.library.Open(ctx)
	if err != nil {
		return err
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.session = session
	return nil
}

func (c *caller) connecting(ctx context.Context, _ *sdk.Call) sdk.Outcome {
	if err := c.connect(ctx); err != nil {
		return c.errors.Outcome(ctx, err)
	}
	return sdk.Outcome{Answer: func() any { return map[string]bool{"connected": true} }}
}

// writing prepares the write of a tick before it is due; in a preflight each of them when it begins.
func (c *caller) writing(session Session, phase sdk.Phase, tick int64) sdk.Action {
	sequence := sequenceOf(phase, tick)
	send := session.Writing(sequence)
	return func(ctx context.Context, call *sdk.Call) sdk.Outcome {
		if call.Tick != tick {
			sequence = sequenceOf(phase, call.Tick)
			send = session.Writing(sequence)
			call.Begin()
		}
		results, err := send(ctx)
		call.End()
		if err != nil {
			return c.errors.Outcome(ctx, err)
		}
		return c.nodeLists.written(results, sequence)
	}
}

// openFurther opens one more session, once the last one is closed, and closes it in nobody's time.
func (c *caller) openFurther(ctx context.Context, call *sdk.Call) sdk.Outcome {
	c.closing.Wait()
	call.Begin()
	session, err := c.library.Open(ctx)
	call.End()
	if err != nil {
		return c.errors.Outcome(ctx, err)
	}
	c.closing.Add(1)
	go func() {
		defer c.closing.Done()
		left(session)
	}()
	return sdk.Outcome{Answer: func() any { return map[string]bool{"opened": true} }}
}

// close leaves the server, not longer than that, whatever state it is in.
func (c *caller) close(patience time.Duration) {
	within(patience, func() {
		c.closing.Wait()
		if session := c.opened(); session != nil {
			left(session)
		}
	})
}

func within(patience time.Duration, leave func()) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		leave()
	}()
	select {
	case <-ended:
	case <-time.After(patience):
		fmt.Fprintln(os.Stderr, "leaving was given up: the server does not answer")
	}
}

func left(session Session) {
	if err := session.Close(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "leaving failed:", err)
	}
}
