package sdk

import (
	"testing"
	"time"
)

func TestAClosedTimerWaitsForNothing(t *testing.T) {
	timer, err := newKernelTimer()
	if err != nil {
		t.Fatal(err)
	}
	timer.close()
	// A stop may come between two ticks: what closed the timer is no error of the worker.
	if going, err := timer.until(Now() + time.Hour.Nanoseconds()); going || err != nil {
		t.Errorf("going on: %v, error: %v", going, err)
	}
}

func TestAStopWakesWhoWaits(t *testing.T) {
	timer, err := newKernelTimer()
	if err != nil {
		t.Fatal(err)
	}
	waiting := make(chan error)
	go func() {
		going, err := timer.until(Now() + time.Hour.Nanoseconds())
		if going {
			t.Error("it went on an hour too early")
		}
		waiting <- err
	}()
	timer.close()
	if err := <-waiting; err != nil {
		t.Error(err)
	}
}
