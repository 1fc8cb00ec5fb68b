package sdk

import (
	"context"
	"errors"
	"io"
	"net"
	"syscall"
)

// IsTimeout says whether an error is one of time, wherever in a library it comes from.
func IsTimeout(err error) bool {
	var timed net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timed) && timed.Timeout()
}

// NetworkStatus is how an error of a connection is recorded.
func NetworkStatus(err error) uint8 {
	var failed *net.OpError
	switch {
	case IsTimeout(err):
		return Timeout
	case errors.Is(err, syscall.ECONNREFUSED):
		return Refused
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &failed):
		return Disconnected
	default:
		return Failed
	}
}
