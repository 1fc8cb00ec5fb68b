package main

import (
	"fmt"
	"strconv"

	"wirelab.dev/sdk"
	"wirelab.dev/sdk/k6"
)

const (
	millisecond    = 1e6
	second         = 1_000_000_000
	mostUsers      = 65_536 // lanes of records are 16 bits wide
	preflightBoard = "preflight"
)

// plan is what the users are to do, as whiteboard.js reads it. Times in ms are after tick 0.
type plan struct {
	Endpoint       string          `json:"endpoint"`
	Control        string          `json:"control"`
	PeriodMS       float64         `json:"period_ms"`
	EndMS          float64         `json:"end_ms"`
	LimitMS        float64         `json:"limit_ms"`
	MessageBytes   int64           `json:"message_bytes"`
	BoardSize      int64           `json:"board_size"`
	Boards         int64           `json:"boards"`
	Spread         bool            `json:"spread"`
	Groups         []group         `json:"groups"`
	PreflightBoard string          `json:"preflight_board"`
	PreflightUsers []int64         `json:"preflight_users"`
	Preflight      []preflightDraw `json:"preflight"`
	// Verified are texts by user and number.
	Verified map[string]map[string]string `json:"verified"`

	schedule sdk.Schedule
	verified []verified
}

// group are the users that one step adds.
type group struct {
	From     int64   `json:"from"`
	Users    int64   `json:"users"`
	JoinAtMS float64 `json:"join_at_ms"`
	JoinMS   float64 `json:"join_ms"`
	SendAtMS float64 `json:"send_at_ms"`
}

// preflightDraw is a message sent before the start.
type preflightDraw struct {
	Tick int64  `json:"tick"`
	User int64  `json:"user"`
	Seq  int64  `json:"seq"`
	Text string `json:"text"`
}

// verified is a message whose answer is verified: its content follows from the seed.
type verified struct {
	tick, user, seq int64
	text            string
}

func planOf(spec *sdk.Spec) (*plan, error) {
	protocol, _ := spec.Facts["server"]["protocol"].(string)
	if protocol != "json" {
		return nil, k6.Unsupported("the users of the k6 script speak the protocol json, this server speaks %q", protocol)
	}
	if spec.Endpoints["server"] == "" {
		return nil, fmt.Errorf("the endpoint of the server is missing")
	}
	p := &plan{
		Endpoint: spec.Endpoints["server"],
		PeriodMS: float64(spec.Schedule.PeriodNS) / millisecond,
		EndMS:    float64(spec.Schedule.FirstNS+spec.Schedule.Count*spec.Schedule.PeriodNS) / millisecond,
		LimitMS:  float64(spec.Limits.OperationNS) / millisecond,
		Groups:   []group{}, Preflight: []preflightDraw{},
		PreflightBoard: preflightBoard, PreflightUsers: []int64{0, 1},
		Verified: map[string]map[string]string{},
		schedule: spec.Schedule,
	}
	if err := p.readParameters(spec); err != nil {
		return nil, err
	}
	if err := p.addGroups(); err != nil {
		return nil, err
	}
	p.addVerified(spec)
	return p, nil
}

func (p *plan) readParameters(spec *sdk.Spec) error {
	var err error
	if p.MessageBytes, err = sdk.Parameter[int64](spec, "message_bytes", 130); err != nil {
		return err
	}
	if p.BoardSize, err = sdk.Parameter[int64](spec, "board_size", 50); err != nil {
		return err
	}
	p.BoardSize = max(1, p.BoardSize)
	placement, err := sdk.Parameter(spec, "placement", "fill")
	if err != nil {
		return err
	}
	if p.Spread = placement == "spread"; !p.Spread && placement != "fill" {
		return fmt.Errorf("placement is %s: expected fill or spread", placement)
	}
	reconnect, err := sdk.Parameter(spec, "reconnect", false)
	if err != nil {
		return err
	}
	if reconnect {
		return k6.Unsupported("the users of the k6 script do not connect again")
	}
	return nil
}

// addGroups turns steps into users who come and stay; what k6 cannot do by that is refused.
func (p *plan) addGroups() error {
	s := p.schedule
	if len(s.Steps) == 0 || s.Cycle.Length != s.Cycle.Active {
		return k6.Unsupported("the users of the k6 script come by steps and send in every period")
	}
	var users int64
	for _, step := range s.Steps {
		if step.Lanes != step.Users || step.Users < users {
			return k6.Unsupported("step %s: the users of the k6 script all send, and none of them leaves", step.Name)
		}
		if step.Users > users {
			p.Groups = append(p.Groups, group{
				From:     users,
				Users:    step.Users - users,
				JoinAtMS: float64(s.FirstNS+step.First*s.PeriodNS) / millisecond,
				JoinMS:   float64(step.JoinNS) / millisecond,
				SendAtMS: float64(s.FirstNS+(step.First+step.Settle)*s.PeriodNS) / millisecond,
			})
		}
		users = step.Users
	}
	if users == 0 || users > mostUsers {
		return fmt.Errorf("users is %d: expected 1 to %d", users, mostUsers)
	}
	p.Boards = (users + p.BoardSize - 1) / p.BoardSize
	return nil
}

// users is how many there are in the end.
func (p *plan) users() int64 {
	last := p.Groups[len(p.Groups)-1]
	return last.From + last.Users
}

// board is the number of a user's board.
func (p *plan) board(user int64) int64 {
	if p.Spread {
		return user % p.Boards
	}
	return user / p.BoardSize
}

// joinNS is when a user is to connect, after tick 0.
func (p *plan) joinNS(user int64) int64 {
	var before int64
	for _, step := range p.schedule.Steps {
		if user < step.Users {
			added := step.Users - before
			return p.schedule.FirstNS + step.First*p.schedule.PeriodNS + (user-before)*step.JoinNS/added
		}
		before = step.Users
	}
	return 0
}

// firstTick is the tick of a user's first message.
func (p *plan) firstTick(user int64) int64 {
	for _, step := range p.schedule.Steps {
		if user < step.Users {
			return step.First + step.Settle
		}
	}
	return p.schedule.Count
}

func (p *plan) addVerified(spec *sdk.Spec) {
	for tick := range spec.Verify.Preflight["rtt"] {
		user, seq := tick%2, tick/2
		p.Preflight = append(p.Preflight, preflightDraw{
			Tick: tick, User: user, Seq: seq,
			Text: drawText(spec.Seed, preflightBoard, user, seq, p.MessageBytes),
		})
	}
	for _, tick := range spec.Verify.Ticks["rtt"] {
		user := tick % p.lanesAt(tick)
		seq := tick - p.firstTick(user)
		if seq < 0 {
			continue // not asked for by a core that knows the steps
		}
		text := drawText(spec.Seed, boardName(p.board(user)), user, seq, p.MessageBytes)
		p.verified = append(p.verified, verified{tick, user, seq, text})
		of := p.Verified[strconv.FormatInt(user, 10)]
		if of == nil {
			of = map[string]string{}
			p.Verified[strconv.FormatInt(user, 10)] = of
		}
		of[strconv.FormatInt(seq, 10)] = text
	}
}

func (p *plan) lanesAt(tick int64) int64 {
	for _, step := range p.schedule.Steps {
		if tick < step.First+step.Count {
			return step.Lanes
		}
	}
	return p.users()
}
