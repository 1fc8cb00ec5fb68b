package sdk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"syscall"
	"testing"
)

// code is an error of a library that has numbers for them.
type code int

func (c code) Error() string { return fmt.Sprintf("error %d", int(c)) }

// attempt is one that wraps what went wrong before, as some libraries have it.
type attempt struct {
	code
	before error
}

func (a *attempt) Error() string { return fmt.Sprintf("%v, after %v", a.code, a.before) }

func (a *attempt) Unwrap() error { return a.before }

func (a *attempt) Is(other error) bool { return a.code == other }

var (
	errSlow   = errors.New("too slow")
	errNobody = errors.New("nobody there")
	errGone   = errors.New("gone")
	// Of a library without a type of its own, of one with numbers, and of one that has both.
	plain = Errors{Timeout: []error{errSlow}, Refused: []error{errNobody}, Disconnected: []error{errGone}}
	coded = Errors{
		Timeout: []error{code(4)}, Disconnected: []error{code(8)},
		Own: Own(func(c code) string { return fmt.Sprintf("CODE_%d", int(c)) }),
	}
	retrying = Errors{
		Timeout: []error{code(4)}, Disconnected: []error{code(8)},
		Own: Own(func(a *attempt) string { return fmt.Sprintf("CODE_%d", int(a.code)) }),
	}
)

// dialing is an error as Go's own connections have it.
func dialing(cause error) error { return &net.OpError{Op: "dial", Net: "tcp", Err: cause} }

func TestErrorsAreRecordedByWhatTheyMean(t *testing.T) {
	refused := dialing(os.NewSyscallError("connect", syscall.ECONNREFUSED))
	late := dialing(os.ErrDeadlineExceeded)
	for _, one := range []struct {
		errors Errors
		err    error
		status uint8
	}{
		// Of Go itself.
		{Errors{}, context.DeadlineExceeded, Timeout}, {Errors{}, late, Timeout}, {Errors{}, refused, Refused},
		{Errors{}, io.EOF, Disconnected}, {Errors{}, io.ErrUnexpectedEOF, Disconnected},
		{Errors{}, dialing(syscall.ECONNRESET), Disconnected}, {Errors{}, errGone, Failed},
		// Of a library, which may have some of Go as well.
		{plain, errSlow, Timeout}, {plain, errNobody, Refused}, {plain, errGone, Disconnected},
		{plain, io.EOF, Disconnected}, {plain, errors.New("no such key"), Failed},
		{coded, code(4), Timeout}, {coded, code(8), Disconnected}, {coded, code(5), Failed},
		{coded, io.EOF, Disconnected},
		// The cause of a loss says more.
		{plain, errors.Join(errGone, late), Timeout}, {coded, errors.Join(code(8), refused), Refused},
		{retrying, &attempt{8, refused}, Refused}, {retrying, &attempt{8, nil}, Disconnected},
		// What came before is not what happened.
		{retrying, &attempt{5, io.EOF}, Failed}, {retrying, &attempt{5, &attempt{8, nil}}, Failed},
		{retrying, &attempt{8, &attempt{4, nil}}, Disconnected}, {retrying, &attempt{4, refused}, Timeout},
	} {
		for _, err := range []error{one.err, fmt.Errorf("read: %w", one.err)} {
			outcome := one.errors.Outcome(context.Background(), err)
			if outcome.Status != one.status || outcome.Fault.Message != err.Error() {
				t.Errorf("%v: status %d, %+v", err, outcome.Status, outcome.Fault)
			}
		}
	}
}

func TestWhatFailsWhenTimeWasUpIsATimeout(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if outcome := plain.Outcome(ctx, errGone); outcome.Status != Timeout || outcome.Fault.Message != "gone" {
		t.Errorf("%+v", outcome)
	}
}

func TestErrorsAreCalledWhatTheLibraryCallsThem(t *testing.T) {
	for _, one := range []struct {
		errors        Errors
		err           error
		class, status string
	}{
		{coded, code(5), "sdk.code", "CODE_5"},
		{coded, fmt.Errorf("read: %w", code(5)), "sdk.code", "CODE_5"},
		{coded, errGone, "*errors.errorString", ""},
		{plain, code(5), "sdk.code", ""},
	} {
		fault := one.errors.Outcome(context.Background(), one.err).Fault
		if fault.Class != one.class || fault.Status != one.status {
			t.Errorf("%v: %+v", one.err, fault)
		}
	}
}
