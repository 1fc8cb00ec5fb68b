package messaging

import "context"

// Replies hands answers from the goroutine that takes what comes to the user that waits for one.
type Replies struct {
	came chan []byte
	lost chan error
}

// NewReplies is for one user.
func NewReplies() Replies {
	return Replies{make(chan []byte, 1), make(chan error, 1)}
}

// Came hands a message over; where nobody has taken the last one, nobody waits for this one.
func (r Replies) Came(reply []byte) {
	select {
	case r.came <- reply:
	default:
	}
}

// Lost says that nothing will come any more. Once.
func (r Replies) Lost(err error) { r.lost <- err }

// Await is the answer to a message that was sent.
func (r Replies) Await(ctx context.Context, message []byte) ([]byte, error) {
	for {
		select {
		case reply := <-r.came:
			if Answers(reply, message) {
				return reply, nil
			}
		case err := <-r.lost:
			return nil, err
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
