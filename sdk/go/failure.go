package sdk

import "fmt"

// Failure is what a library said when it failed: its class is the error's type.
type Failure struct {
	Class   string `json:"class"`
	Message string `json:"message"`
}

// FailureOf puts an error into words, also one that [Caught] made of a panic.
func FailureOf(err error) *Failure {
	if p, ok := err.(panicked); ok {
		return &Failure{Class: fmt.Sprintf("panic %T", p.value), Message: p.Error()}
	}
	return &Failure{Class: fmt.Sprintf("%T", err), Message: err.Error()}
}

// panicked is a panic of a library, which is its way to fail like any other.
type panicked struct{ value any }

func (p panicked) Error() string { return fmt.Sprint(p.value) }

// Caught calls what may panic, and gives a panic as an error.
func Caught[T any](call func() (T, error)) (result T, err error) {
	defer func() {
		if value := recover(); value != nil {
			err = panicked{value}
		}
	}()
	return call()
}
