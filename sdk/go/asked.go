package sdk

import (
	"encoding/json"
	"sync"
	"sync/atomic"
)

// asking is an answer that the core wants, by the number of its asking.
type asking struct {
	number    int64
	operation string
	lane      int64
}

// result is an operation that has ended; without an answer it failed.
type result struct {
	operation            string
	tick, startNS, endNS int64
	answer               func() any
	given                bool
}

// asked keeps the last result of each lane from its end until the lane begins again, and answers
// with it. What was asked meanwhile waits for the end. For any number of goroutines, each lane of
// which belongs to one at a time.
type asked struct {
	answers  *Answers
	recorder *Recorder
	mutex    sync.Mutex
	lanes    map[int64]*keptLane
}

// keptLane is what is kept of one lane, and whether anything was asked of it.
type keptLane struct {
	results atomic.Pointer[[]*result]
	isAsked atomic.Bool
	// isAnswering is true while an answer may be put into words.
	isAnswering atomic.Bool
	waiting     []asking // under the mutex
}

func newAsked(answers *Answers, recorder *Recorder) *asked {
	return &asked{answers: answers, recorder: recorder, lanes: map[int64]*keptLane{}}
}

// lane gives the lane of that number.
func (a *asked) lane(number int64) *keptLane {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.lanes[number] == nil {
		a.lanes[number] = &keptLane{}
	}
	return a.lanes[number]
}

// begin lets go of the results of a lane that begins its next operations, and waits for an answer
// that is being given.
func (a *asked) begin(lane *keptLane) {
	lane.results.Store(nil)
	// Whoever answers says so before it looks for results: one of both sees the other.
	if lane.isAnswering.Load() {
		a.mutex.Lock()
		defer a.mutex.Unlock()
	}
}

// end keeps what the operations of a lane brought, and answers what was asked meanwhile.
func (a *asked) end(lane *keptLane, results ...*result) error {
	lane.results.Store(&results)
	if lane.isAsked.Load() {
		return a.answerWaiting(lane)
	}
	return nil
}

// hear answers now, or when the lane has ended what it is at.
func (a *asked) hear(one asking) error {
	lane := a.lane(one.lane)
	a.mutex.Lock()
	lane.waiting = append(lane.waiting, one)
	a.mutex.Unlock()
	// After it waits: either the lane that ends sees it, or its results are there.
	lane.isAsked.Store(true)
	if lane.results.Load() != nil {
		return a.answerWaiting(lane)
	}
	return nil
}

func (a *asked) answerWaiting(lane *keptLane) error {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	lane.isAnswering.Store(true)
	defer lane.isAnswering.Store(false)
	results := lane.results.Load()
	if results == nil {
		return nil
	}
	waiting := lane.waiting
	lane.waiting = nil
	lane.isAsked.Store(false)
	for _, one := range waiting {
		if err := a.answer(one, *results); err != nil {
			return err
		}
	}
	return nil
}

// declined is the line of an asking that has no answer.
type declined struct {
	Phase     Phase  `json:"phase"`
	Operation string `json:"operation"`
	Asked     int64  `json:"asked"`
	Lane      int64  `json:"lane"`
	None      string `json:"none"`
}

// given is the line of an asking that has one; Records are in their file by then.
type given struct {
	Answer
	Asked   int64    `json:"asked"`
	Lane    int64    `json:"lane"`
	Records int64    `json:"records"`
	Pause   [2]int64 `json:"pause"`
}

func (a *asked) answer(one asking, results []*result) error {
	line := declined{Measure, one.operation, one.number, one.lane, "nothing"}
	for _, kept := range results {
		switch {
		case kept.operation != one.operation:
		case kept.given:
			line.None = "given"
		case kept.answer == nil:
			line.None = "failed"
		default:
			kept.given = true
			return a.give(one, kept)
		}
	}
	return a.answers.Add(line)
}

func (a *asked) give(one asking, kept *result) error {
	beginNS := Now()
	records, err := a.recorder.publish()
	if err != nil {
		return err
	}
	// In words already here, so that the pause has the whole of it.
	words, err := json.Marshal(kept.answer())
	if err != nil {
		return err
	}
	err = a.answers.Add(given{
		Answer: Answer{
			Phase: Measure, Operation: kept.operation, Tick: kept.tick,
			StartNS: kept.startNS, EndNS: kept.endNS, Answer: json.RawMessage(words),
		},
		Asked: one.number, Lane: one.lane, Records: records, Pause: [2]int64{beginNS, Now()},
	})
	if err != nil {
		return err
	}
	// Records were written to be seen, and so is what says so.
	return a.answers.flush()
}
