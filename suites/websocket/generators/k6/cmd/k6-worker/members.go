package main

import (
	"math"
	"slices"

	"wirelab.dev/websocket/k6/points"
)

// presence is from when until when a user was on its board, in the users' own stamps: ms after tick 0.
type presence struct {
	user       int64
	from, till float64
}

// members knows who was on which board.
type members struct {
	boards map[int64][]presence
}

// membersOf collects it from all points.
func membersOf(p *plan, all []points.Point) members {
	presences := make(map[int]*presence)
	for _, point := range all {
		switch point.Metric {
		case "joined":
			presences[point.User] = &presence{int64(point.User), point.Value, math.Inf(1)}
		case "dropped":
			if of := presences[point.User]; of != nil {
				of.till = point.Value
			}
		}
	}
	m := members{boards: make(map[int64][]presence)}
	for user, of := range presences {
		board := p.board(int64(user))
		m.boards[board] = append(m.boards[board], *of)
	}
	for _, presences := range m.boards {
		slices.SortFunc(presences, func(a, b presence) int { return int(a.user - b.user) })
	}
	return m
}

// at are the members of a board at a moment, by number.
func (m members) at(board int64, stamp float64) []int64 {
	users := []int64{}
	for _, presence := range m.boards[board] {
		if presence.from <= stamp && stamp < presence.till {
			users = append(users, presence.user)
		}
	}
	return users
}

// others is how many a message of a user was for.
func (m members) others(board, user int64, stamp float64) int64 {
	var count int64
	for _, presence := range m.boards[board] {
		if presence.user != user && presence.from <= stamp && stamp < presence.till {
			count++
		}
	}
	return count
}
