package main

import (
	"wirelab.dev/codec"
	"wirelab.dev/codec/go-protobuf/shapes"
)

func fillTelemetry(m *shapes.Telemetry, n *codec.Telemetry) {
	m.Points = make([]*shapes.TelemetryPoint, len(n.Points))
	for i := range n.Points {
		point := &n.Points[i]
		m.Points[i] = &shapes.TelemetryPoint{
			Time: point.Time, Value: point.Value, Quality: point.Quality,
		}
	}
}

func fromTelemetry(m *shapes.Telemetry) codec.Telemetry {
	points := make([]codec.Point, len(m.GetPoints()))
	for i, point := range m.GetPoints() {
		points[i] = codec.Point{
			Time: point.GetTime(), Value: point.GetValue(), Quality: point.GetQuality(),
		}
	}
	return codec.Telemetry{Points: points}
}

func foldTelemetry(m *shapes.Telemetry) uint32 {
	sum := 101 * uint32(len(m.GetPoints()))
	for _, point := range m.GetPoints() {
		sum += 3*uint32(point.GetTime()) + 5*codec.FoldFloat(point.GetValue()) +
			7*uint32(point.GetQuality())
	}
	return sum
}

func fillChat(m *shapes.Chat, n *codec.Chat) {
	m.Id = n.ID
	m.Sent = n.Sent
	m.Board = n.Board
	m.Author = &shapes.Author{Id: n.Author.ID, Name: n.Author.Name, Active: n.Author.Active}
	m.Text = n.Text
	m.Mentions = n.Mentions
	m.Strokes = make([]*shapes.Stroke, len(n.Strokes))
	for i := range n.Strokes {
		stroke := &n.Strokes[i]
		points := make([]*shapes.Position, len(stroke.Points))
		for k, point := range stroke.Points {
			points[k] = &shapes.Position{X: point.X, Y: point.Y}
		}
		m.Strokes[i] = &shapes.Stroke{Color: stroke.Color, Width: stroke.Width, Points: points}
	}
}

func fromChat(m *shapes.Chat) codec.Chat {
	author := m.GetAuthor()
	strokes := make([]codec.Stroke, len(m.GetStrokes()))
	for i, stroke := range m.GetStrokes() {
		points := make([]codec.Position, len(stroke.GetPoints()))
		for k, point := range stroke.GetPoints() {
			points[k] = codec.Position{X: point.GetX(), Y: point.GetY()}
		}
		strokes[i] = codec.Stroke{Color: stroke.GetColor(), Width: stroke.GetWidth(), Points: points}
	}
	return codec.Chat{
		ID:       m.GetId(),
		Sent:     m.GetSent(),
		Board:    m.GetBoard(),
		Author:   codec.Author{ID: author.GetId(), Name: author.GetName(), Active: author.GetActive()},
		Text:     m.GetText(),
		Mentions: m.GetMentions(),
		Strokes:  strokes,
	}
}

func foldChat(m *shapes.Chat) uint32 {
	author := m.GetAuthor()
	sum := 3*codec.FoldString(m.GetId()) + 5*uint32(m.GetSent()) + 7*codec.FoldString(m.GetBoard())
	sum += 9*author.GetId() + 11*codec.FoldString(author.GetName())
	sum += 13*codec.FoldBool(author.GetActive()) + 15*codec.FoldString(m.GetText())
	sum += 101*uint32(len(m.GetMentions())+len(m.GetStrokes())) + codec.FoldStrings(m.GetMentions())
	for _, stroke := range m.GetStrokes() {
		sum += 17*codec.FoldString(stroke.GetColor()) + 19*codec.FoldFloat(stroke.GetWidth())
		for _, point := range stroke.GetPoints() {
			sum += 21*uint32(point.GetX()) + 23*uint32(point.GetY())
		}
	}
	return sum
}
