package main

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"

	"wirelab.dev/sdk"
	"wirelab.dev/websocket/k6/points"
)

// answer is what came of one message, as the suite's verifier reads it.
type answer struct {
	Board     string   `json:"board"`
	User      int64    `json:"user"`
	Seq       int64    `json:"seq"`
	Members   []int64  `json:"members"`
	Receivers []int64  `json:"receivers"`
	Text      string   `json:"text"`
	Copies    []string `json:"copies"`
}

// answers gathers what the users say of the verified messages.
type answers struct {
	plan     *plan
	messages map[[2]int64]*message // by sender and number
}

type message struct {
	verified
	sentNS, backNS int64   // by the wall clock; 0: not yet
	stamp          float64 // when it was sent, in ms as the users count them
	receivers      []int64
	copies         []string
}

func newAnswers(p *plan) *answers {
	a := &answers{plan: p, messages: make(map[[2]int64]*message)}
	for _, v := range p.verified {
		a.messages[[2]int64{v.user, v.seq}] = &message{verified: v}
	}
	return a
}

func (a *answers) sent(point points.Point) error {
	m := a.messages[[2]int64{int64(point.User), int64(point.Value)}]
	if m == nil {
		return errors.New("an answer of the preflight that was not asked for")
	}
	m.sentNS = point.WallNS
	var err error
	m.stamp, err = strconv.ParseFloat(point.Note, 64)
	return err
}

// copied notes that a user got a copy; the text says whose message it is.
func (a *answers) copied(point points.Point) {
	var said struct {
		User int64 `json:"user"`
	}
	if json.Unmarshal([]byte(point.Note), &said) != nil {
		return // it was JSON for k6; what it lacks, the missing receiver will show
	}
	m := a.messages[[2]int64{said.User, int64(point.Value)}]
	receiver := int64(point.User)
	if m == nil || slices.Contains(m.receivers, receiver) {
		return
	}
	m.receivers = append(m.receivers, receiver)
	if !slices.Contains(m.copies, point.Note) {
		m.copies = append(m.copies, point.Note)
	}
	if receiver == m.user {
		m.backNS = point.WallNS
	}
}

// write counts the messages, and gives the answers of those that came back to their senders.
func (a *answers) write(c *conversion) error {
	for _, v := range a.plan.verified {
		m := a.messages[[2]int64{v.user, v.seq}]
		if m.sentNS == 0 {
			continue
		}
		board := a.plan.board(m.user)
		members := c.members.at(board, m.stamp)
		// What came to somebody who joined later was not meant for that user.
		receivers := slices.DeleteFunc(m.receivers, func(user int64) bool {
			return !slices.Contains(members, user)
		})
		slices.Sort(receivers)
		c.countVerified(m, members, receivers)
		if m.backNS == 0 {
			continue
		}
		err := c.worker.Answers.Write(sdk.Answer{
			Phase: sdk.Measure, Operation: "rtt", Tick: m.tick,
			StartNS: c.monotonic(m.sentNS), EndNS: c.monotonic(m.backNS),
			Answer: answer{
				Board: boardName(board), User: m.user, Seq: m.seq,
				Members: members, Receivers: receivers, Text: m.text, Copies: m.copies,
			},
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func writePreflight(w *sdk.Worker, p *plan, monotonic func(wallNS int64) int64, given []preflightAnswer) error {
	for _, one := range given {
		slices.Sort(one.Receivers)
		err := w.Answers.Write(sdk.Answer{
			Phase: sdk.Preflight, Operation: "rtt", Tick: one.Tick,
			StartNS: monotonic(one.StartMS * millisecond),
			EndNS:   monotonic(one.EndMS * millisecond),
			Answer: answer{
				Board: preflightBoard, User: one.User, Seq: one.Seq, Members: p.PreflightUsers,
				Receivers: one.Receivers, Text: one.Text, Copies: one.Copies,
			},
		})
		if err != nil {
			return err
		}
	}
	return nil
}
