package k6

import (
	"fmt"

	"wirelab.dev/sdk"
)

// Unsupported is the end of a trial that k6 cannot carry out.
func Unsupported(format string, values ...any) error {
	return sdk.Fault{Class: "Unsupported", Status: "unsupported", Message: fmt.Sprintf(format, values...)}
}

// Gone is the end of a trial whose k6 ended by itself; err is what [Child.Ended] gave.
func Gone(err error) error {
	message := "k6 ended although nothing had told it to"
	if err != nil {
		message = fmt.Sprintf("k6 ended: %v; standard error says why", err)
	}
	return sdk.Fault{Class: "K6Ended", Message: message}
}
