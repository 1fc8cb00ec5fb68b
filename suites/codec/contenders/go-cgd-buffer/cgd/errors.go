package cgd

import "fmt"

// Error is why something cannot be written or read.
type Error string

// Error is the reason in words.
func (e Error) Error() string { return "cgd: " + string(e) }

// The reasons.
const (
	// Truncated also says that a count promises more than there is.
	Truncated     Error = "input ends too early"
	NegativeCount Error = "count below -1"
	Null          Error = "null where a value must be"
	NoTerminator  Error = "string without its terminator"
	NotUnicode    Error = "string is not valid Unicode"
	NotBool       Error = "bool is neither 0 nor 1"
	LeftOver      Error = "bytes are left over"
	TooLong       Error = "more elements than a count can say"
)

// PlacedError is an error of a [Reader], with the number of bytes that it had read by then.
type PlacedError struct {
	Reason Error
	Before int
}

// Error is the reason in words, and the place.
func (e *PlacedError) Error() string { return fmt.Sprintf("%v, before byte %d", e.Reason, e.Before) }

// Unwrap is the reason.
func (e *PlacedError) Unwrap() error { return e.Reason }
