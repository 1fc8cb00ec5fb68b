package messaging

import (
	"context"
	"errors"
	"math"
	"sync/atomic"
	"time"

	"wirelab.dev/sdk"
)

// Sequences of the preflight, which are in no phase.
const preflightSequence = 1_000_000

// place is what all users of a worker share.
type place struct {
	worker     *sdk.Worker
	contender  *Contender
	connect    Connect
	messages   *Messages
	deliveries *deliveries
	users      []*user
	// By the name of the step.
	numbers, sizes map[string]int64
	isOpen         bool
	// True where what answers is ours and says when it did.
	stamped bool
	// Messages that a user sends at a tick; those of a stream do not wait for each other.
	perTick int64
	streams bool
	// Users, from the first one, who get what is sent to all.
	receivers int64
	// Time in which the scenario's slow consumer takes a message.
	pause time.Duration
	// Users that died, which nothing is expected of.
	lost atomic.Int64
}

// Main is the worker of a contender: it connects, answers the preflight, and carries out the
// schedule.
func Main(contender Contender) {
	sdk.Main(func(w *sdk.Worker) error {
		connect, err := contender.Open(w.Spec)
		if err != nil {
			return err
		}
		p, err := newPlace(w, &contender, connect)
		if err != nil {
			return err
		}
		if err := p.preflight(); err != nil {
			return err
		}
		if err := w.Ready(sdk.Ready{Library: contender.Library, Capabilities: []string{"lanes"}}); err != nil {
			return err
		}
		return p.play()
	})
}

func newPlace(w *sdk.Worker, contender *Contender, connect Connect) (*place, error) {
	key, err := secret()
	if err != nil {
		return nil, err
	}
	p := &place{
		worker: w, contender: contender, connect: connect, messages: NewMessages(key, w.Spec.Seed),
		numbers: map[string]int64{}, sizes: map[string]int64{}, isOpen: !w.Spec.Schedule.IsClosed(),
	}
	p.deliveries = newDeliveries(p.messages, w.Intervals, p.isOpen)
	for _, facts := range w.Spec.Facts {
		p.stamped = p.stamped || facts["stamps"] == true
	}
	pause, err := sdk.Parameter(w.Spec, "slow_consumer_ms", int64(0))
	if err != nil {
		return nil, err
	}
	streamed, err := sdk.Parameter(w.Spec, "messages", int64(0))
	if err != nil {
		return nil, err
	}
	p.streams, p.perTick = streamed > 0, max(streamed, 1)
	if p.receivers, err = sdk.Parameter(w.Spec, "receivers", int64(math.MaxInt64)); err != nil {
		return nil, err
	}
	p.pause = time.Duration(pause) * time.Millisecond
	// Without steps lane 0 sends and the others listen.
	if len(w.Spec.Schedule.Steps) == 0 {
		users, err := sdk.Parameter(w.Spec, "users", int64(1))
		if err != nil {
			return nil, err
		}
		whole := sdk.Step{Name: "whole", Count: w.Spec.Schedule.Count, Users: users, Lanes: 1}
		w.Spec.Schedule.Steps = []sdk.Step{whole}
	}
	for number := range w.Spec.Schedule.Steps {
		step := &w.Spec.Schedule.Steps[number]
		size, err := sdk.StepParameter(w.Spec, step, "message_bytes", int64(Header))
		if err != nil {
			return nil, err
		}
		p.numbers[step.Name], p.sizes[step.Name] = int64(number), size
		for int64(len(p.users)) < step.Users {
			p.users = append(p.users, &user{number: int64(len(p.users)), place: p})
		}
	}
	return p, nil
}

func (p *place) preflight() error {
	first := &user{place: p}
	defer first.leave()
	return p.worker.Preflight(map[string]sdk.Action{"echo": first.echo})
}

func (p *place) play() error {
	actions := map[string]sdk.Action{
		"echo": func(ctx context.Context, call *sdk.Call) sdk.Outcome { return p.users[call.Lane].echo(ctx, call) },
		"send": func(ctx context.Context, call *sdk.Call) sdk.Outcome { return p.users[call.Lane].send(ctx, call) },
	}
	load := sdk.Load{Actions: actions, Begun: p.begun}
	// Where connecting is part of the first call, nobody joins.
	if timed, _ := sdk.Parameter(p.worker.Spec, "connect", ""); timed != "timed" {
		load.Join = func(ctx context.Context, call *sdk.Call) sdk.Outcome {
			return p.users[call.Lane].join(ctx, call)
		}
	}
	if p.broadcasts() && !p.isOpen {
		load.Arrivals = arrivals{p}
	}
	over, writing := make(chan struct{}), make(chan error, 1)
	go func() { writing <- p.writeIntervals(over) }()
	err := p.worker.Drive(load)
	if p.broadcasts() && p.isOpen {
		p.deliveries.wait(p.untilStop(over), p.limit())
	}
	if p.promises() {
		p.tryPromises()
	}
	close(over)
	err = errors.Join(err, <-writing, p.deliveries.write(true))
	for _, user := range p.users {
		user.leave()
	}
	return err
}

func (p *place) broadcasts() bool {
	_, ok := p.worker.Spec.Operations["send"]
	return ok
}

// promises says whether it is tried what a connection promises: nobody dies here, or takes its time.
func (p *place) promises() bool {
	dies, err := sdk.Parameter(p.worker.Spec, "client_dies_ms", int64(0))
	return err == nil && p.broadcasts() && p.receivers == math.MaxInt64 && dies == 0 && p.pause == 0
}

func (p *place) limit() time.Duration { return p.worker.Spec.Limits.Operation() }

// begun is called at tick 0.
func (p *place) begun(startNS int64) {
	p.deliveries.startAt(startNS)
	if !p.isOpen {
		return
	}
	steps := p.worker.Spec.Schedule.Steps
	last := &steps[len(steps)-1]
	p.deliveries.begin(&deliveryPhase{
		size: p.sizes[last.Name], each: (last.First + last.Count) * p.perTick, senders: last.Users,
		counts: true, perTick: p.perTick, owed: owedWithin(steps, p.perTick),
	}, last.Users)
	p.loseOne()
}

// loseOne lets a user of the scenario die while the others go on.
func (p *place) loseOne() {
	after, err := sdk.Parameter(p.worker.Spec, "client_dies_ms", int64(0))
	if err != nil || after == 0 || len(p.users) < 2 {
		return
	}
	time.AfterFunc(time.Duration(after)*time.Millisecond, func() {
		p.lost.Store(1)
		// It only listens: no other goroutine is at its link.
		if link := p.users[1].link; link != nil {
			p.users[1].link = nil
			abandon(link)
		}
	})
}

func abandon(link Link) {
	if abandoner, ok := link.(Abandoner); ok {
		abandoner.Abandon()
	} else {
		link.Close()
	}
}

func (p *place) isStopped() bool {
	select {
	case <-p.worker.Stopped():
		return true
	default:
		return false
	}
}

// untilStop is a context that ends when the core says stop.
func (p *place) untilStop(over <-chan struct{}) context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		defer cancel()
		select {
		case <-p.worker.Stopped():
		case <-over:
		}
	}()
	return ctx
}

// writeIntervals writes old seconds while new ones are counted: memory stays bounded.
func (p *place) writeIntervals(over <-chan struct{}) error {
	every := time.NewTicker(time.Second)
	defer every.Stop()
	for {
		select {
		case <-every.C:
			if err := p.deliveries.write(false); err != nil {
				return err
			}
		case <-over:
			return nil
		}
	}
}

// receiversOf says to how many what a call sends to all is owed: the first ones.
func (p *place) receiversOf(call *sdk.Call) int64 {
	users := call.Step.Users
	if p.isOpen {
		users = p.deliveries.phase.Load().owed.to(call.Tick * p.perTick)
	}
	return min(users, p.receivers)
}

// inboxOf takes what is broadcast to a user; the slow consumer of a scenario takes its time.
func (p *place) inboxOf(user int64) Inbox {
	if !p.broadcasts() || user >= p.receivers {
		return nil
	}
	return func(message []byte) {
		if user == 1 && p.pause > 0 {
			time.Sleep(p.pause)
		}
		p.deliveries.delivered(user, message)
	}
}

func (p *place) sizeOf(step *sdk.Step) int64 { return p.sizes[step.Name] }

// sequenceOf numbers the first message of a call: in a closed loop by its phase and within it.
func (p *place) sequenceOf(call *sdk.Call) uint64 {
	switch settling := call.Step.First + call.Step.Settle; {
	case call.Phase == sdk.Preflight:
		return uint64(preflightSequence + call.Tick)
	case p.isOpen:
		return uint64(call.Tick * p.perTick)
	case call.Tick < settling:
		return uint64(2*p.numbers[call.Step.Name]+1)<<32 | uint64((call.Tick-call.Step.First)*p.perTick)
	default:
		return uint64(2*p.numbers[call.Step.Name]+2)<<32 | uint64((call.Tick-settling)*p.perTick)
	}
}

// arrivals tells the driver of a closed loop what is delivered.
type arrivals struct{ place *place }

func (a arrivals) Begin(step *sdk.Step, counts bool) {
	// What was counted belongs to the step that is still said to be under way.
	a.place.note(a.place.deliveries.write(true))
	a.place.deliveries.beginStep(step, a.place.numbers[step.Name], a.place.sizes[step.Name], a.place.perTick, counts)
}

func (a arrivals) Wait(ctx context.Context) { a.place.deliveries.wait(ctx, a.place.limit()) }

func (a arrivals) LastNS() int64 { return a.place.deliveries.lastNS.Load() }

func (a arrivals) Completed(user int64) (int64, bool) { return a.place.deliveries.completed(user) }

// note says what could not be written: the file then lacks lines, which the core notices.
func (p *place) note(err error) {
	if err != nil {
		p.worker.Fault(sdk.Fault{Class: "Intervals", Message: err.Error(), Scope: sdk.CallScope})
	}
}
