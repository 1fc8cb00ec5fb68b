package opcua

import (
	"context"
	"sync"
	"time"

	"wirelab.dev/sdk"
)

// lanes are many callers at a time: in a session that they share, or each in one of its own.
type lanes struct {
	client
	apart    bool
	mutex    sync.Mutex
	sessions map[int64]Session
}

func playLanes(w *sdk.Worker, ready sdk.Ready, client client) error {
	l := &lanes{client: client, sessions: map[int64]Session{}}
	for _, operation := range w.Spec.Operations {
		l.apart = l.apart || operation.Due == "join"
	}
	ctx := context.Background()
	err := l.library.Prepare(ctx)
	if err == nil && !l.apart {
		err = l.open(ctx, 0)
	}
	if err != nil {
		return *l.errors.Outcome(ctx, err).Fault
	}
	load := sdk.Load{Actions: map[string]sdk.Action{"read": l.readOfLane}}
	if l.apart {
		load.Join = l.join
	}
	if err := w.Preflight(load.Actions); err != nil {
		return err
	}
	if err := w.Ready(ready); err != nil {
		return err
	}
	if err := w.Drive(load); err != nil {
		return err
	}
	l.close(time.Duration(w.Spec.Limits.StopNS / 4))
	return nil
}

func (l *lanes) open(ctx context.Context, user int64) error {
	session, err := l.library.Open(ctx)
	if err != nil {
		return err
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.sessions[user] = session
	return nil
}

func (l *lanes) join(ctx context.Context, call *sdk.Call) sdk.Outcome {
	if err := l.open(ctx, call.Lane); err != nil {
		return l.errors.Outcome(ctx, err)
	}
	return sdk.Outcome{Answer: func() any { return map[string]bool{"connected": true} }}
}

func (l *lanes) readOfLane(ctx context.Context, call *sdk.Call) sdk.Outcome {
	session := l.session(call.Lane)
	if session == nil {
		return sdk.Outcome{
			Status: sdk.Disconnected, Fault: &sdk.Fault{Class: "NotOpened", Message: "its session could not be opened"},
		}
	}
	call.Begin()
	return l.read(ctx, session, call)
}

func (l *lanes) session(user int64) Session {
	if !l.apart {
		user = 0
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.sessions[user]
}

// close leaves the server with every session, not longer than that.
func (l *lanes) close(patience time.Duration) {
	var all sync.WaitGroup
	l.mutex.Lock()
	for _, session := range l.sessions {
		all.Go(func() { left(session) })
	}
	l.mutex.Unlock()
	within(patience, all.Wait)
}
