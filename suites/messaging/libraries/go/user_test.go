package messaging

import (
	"context"
	"errors"
	"testing"

	"wirelab.dev/sdk"
)

var (
	errLost    = errors.New("lost")
	errUnknown = errors.New("unknown")
)

// scripted is a link that echoes, or fails as it is told.
type scripted struct {
	err    error
	closed int
}

func (s *scripted) Echo(_ context.Context, message []byte) ([]byte, error) { return message, s.err }
func (s *scripted) Broadcast(context.Context, []byte) error                { return s.err }
func (s *scripted) Close()                                                 { s.closed++ }

// userOf is a user whose connection is this link, or fails beside it.
func userOf(link Link, err error) *user {
	return &user{place: &place{
		worker:    &sdk.Worker{Spec: &sdk.Spec{}},
		contender: &Contender{Errors: sdk.Errors{Disconnected: []error{errLost}}},
		connect:   func(context.Context, int64, Inbox) (Link, error) { return link, err },
		messages:  NewMessages(nil, 1),
	}}
}

func TestALinkThatCannotBeUsedIsLeft(t *testing.T) {
	for name, one := range map[string]struct {
		link    scripted
		failing error
	}{
		"not connected": {failing: errLost}, "not served": {link: scripted{err: errLost}},
	} {
		link := one.link
		if found, err := userOf(&link, one.failing).linked(context.Background()); found != nil || err != errLost {
			t.Errorf("%s: %v, %v", name, found, err)
		}
		if link.closed != 1 {
			t.Errorf("%s: closed %d times", name, link.closed)
		}
	}
	if _, err := userOf(nil, errLost).linked(context.Background()); err != errLost {
		t.Error(err)
	}
}

func TestALostLinkIsLeftUnlessTheLibraryMakesItAgain(t *testing.T) {
	for _, one := range []struct {
		err              error
		reconnectsItself bool
		status           uint8
		closed           int
	}{
		{errLost, false, sdk.Disconnected, 1}, {errLost, true, sdk.Disconnected, 0},
		{errUnknown, false, sdk.Failed, 0}, {errWrongMessage, false, sdk.WrongAnswer, 0},
	} {
		link := &scripted{}
		user := userOf(link, nil)
		user.place.contender.ReconnectsItself = one.reconnectsItself
		if _, err := user.linked(context.Background()); err != nil {
			t.Fatal(err)
		}
		outcome := user.failed(context.Background(), one.err)
		if outcome.Status != one.status || link.closed != one.closed || (user.link == nil) != (one.closed > 0) {
			t.Errorf("%v: %+v, closed %d times, still linked by %v", one, outcome, link.closed, user.link)
		}
	}
}
