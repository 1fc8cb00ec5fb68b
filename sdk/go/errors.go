package sdk

import (
	"context"
	"errors"
	"io"
	"net"
	"slices"
	"syscall"
)

// Errors says how errors of a library are recorded. Those that Go itself has for time and for
// connections need not be named.
type Errors struct {
	// Timeout, Refused and Disconnected are meant whatever they are wrapped in.
	Timeout, Refused, Disconnected []error
	// Own finds the error of the library's own type, as [Own] does, and what the library calls it; nil
	// where it has no such type. It alone says then what happened: what it wraps may be attempts that
	// came before it, and is asked only why a connection was lost.
	Own func(err error) (own error, name string)
}

// Own finds an error of one type, whatever it is wrapped in, and names it.
func Own[E error](name func(E) string) func(error) (own error, named string) {
	return func(err error) (error, string) {
		var own E
		if !errors.As(err, &own) {
			return nil, ""
		}
		return own, name(own)
	}
}

// Outcome is that of a call that failed. What fails after its time was up is a timeout, whatever the
// library says.
func (e Errors) Outcome(ctx context.Context, err error) Outcome {
	own, name := e.own(err)
	status := e.status(err, own)
	if ctx.Err() != nil {
		status = Timeout
	}
	said := err
	if own != nil {
		said = own
	}
	fault := Fault{Class: FailureOf(said).Class, Status: name, Message: err.Error()}
	return Outcome{Status: status, Fault: &fault}
}

func (e Errors) own(err error) (own error, name string) {
	if e.Own == nil {
		return nil, ""
	}
	return e.Own(err)
}

func (e Errors) status(err, own error) uint8 {
	says := func(known []error) bool { return isWithin(err, known) }
	if own != nil {
		says = func(known []error) bool { return isItself(own, known) }
		if !says(slices.Concat(e.Timeout, e.Refused, e.Disconnected)) {
			return Failed
		}
	}
	switch {
	case isTimeout(err), says(e.Timeout):
		return Timeout
	case errors.Is(err, syscall.ECONNREFUSED), says(e.Refused):
		return Refused
	case isLoss(err), says(e.Disconnected):
		return Disconnected
	default:
		return Failed
	}
}

// isWithin says whether an error is one of those, or wraps one.
func isWithin(err error, known []error) bool {
	return slices.ContainsFunc(known, func(one error) bool { return errors.Is(err, one) })
}

// isItself says whether an error is one of those, as [errors.Is] has it of one that wraps nothing.
func isItself(err error, known []error) bool {
	matching, ok := err.(interface{ Is(error) bool })
	return slices.ContainsFunc(known, func(one error) bool { return err == one || ok && matching.Is(one) })
}

func isTimeout(err error) bool {
	var timed net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timed) && timed.Timeout()
}

// isLoss says whether an error is the end of a connection.
func isLoss(err error) bool {
	var failed *net.OpError
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &failed)
}
