package main

import (
	"math"
	"slices"

	"wirelab.dev/websocket/k6/points"
)

// stay is from when until when a user was on its board, in the users' own stamps: ms after tick 0.
type stay struct {
	user       int64
	from, till float64
}

// members knows who was on which board.
type members struct {
	boards map[int64][]stay
}

// membersOf collects it from all points.
func membersOf(p *plan, all []points.Point) members {
	stays := make(map[int]*stay)
	for _, point := range all {
		switch point.Metric {
		case "joined":
			stays[point.User] = &stay{int64(point.User), point.Value, math.Inf(1)}
		case "dropped":
			if of := stays[point.User]; of != nil {
				of.till = point.Value
			}
		}
	}
	m := members{boards: make(map[int64][]stay)}
	for user, of := range stays {
		board := p.board(int64(user))
		m.boards[board] = append(m.boards[board], *of)
	}
	for _, stays := range m.boards {
		slices.SortFunc(stays, func(a, b stay) int { return int(a.user - b.user) })
	}
	return m
}

// at are the members of a board at a moment, by number.
func (m members) at(board int64, stamp float64) []int64 {
	users := []int64{}
	for _, stay := range m.boards[board] {
		if stay.from <= stamp && stamp < stay.till {
			users = append(users, stay.user)
		}
	}
	return users
}

// others is how many a message of a user was for.
func (m members) others(board, user int64, stamp float64) int64 {
	var count int64
	for _, stay := range m.boards[board] {
		if stay.user != user && stay.from <= stamp && stamp < stay.till {
			count++
		}
	}
	return count
}
