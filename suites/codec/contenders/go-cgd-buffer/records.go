package main

import (
	"wirelab.dev/codec"
	"wirelab.dev/codec/go-cgd-buffer/cgd"
)

func encodeTelemetry(n *codec.Telemetry) ([]byte, error) {
	out := cgd.NewBuffer(sizeCount + sizePoint*len(n.Points))
	out.AppendCount(len(n.Points))
	for i := range n.Points {
		point := &n.Points[i]
		out.AppendInt64(point.Time)
		out.AppendFloat64(point.Value)
		out.AppendInt32(point.Quality)
	}
	return out.Bytes()
}

func decodeTelemetry(encoded []byte) (n codec.Telemetry, err error) {
	in := cgd.NewReader(encoded)
	n.Points = make([]codec.Point, in.ExtractCount(sizePoint))
	for i := range n.Points {
		point := &n.Points[i]
		point.Time = in.ExtractInt64()
		point.Value = in.ExtractFloat64()
		point.Quality = in.ExtractInt32()
	}
	return n, in.End()
}

func encodeChat(n *codec.Chat) ([]byte, error) {
	out := cgd.NewBuffer(roomChat)
	out.AppendString(n.ID)
	out.AppendInt64(n.Sent)
	out.AppendString(n.Board)
	out.AppendUint32(n.Author.ID)
	out.AppendString(n.Author.Name)
	out.AppendBool(n.Author.Active)
	out.AppendString(n.Text)
	out.AppendStrings(n.Mentions)
	out.AppendCount(len(n.Strokes))
	for i := range n.Strokes {
		stroke := &n.Strokes[i]
		out.AppendString(stroke.Color)
		out.AppendFloat64(stroke.Width)
		out.AppendCount(len(stroke.Points))
		for _, point := range stroke.Points {
			out.AppendInt32(point.X)
			out.AppendInt32(point.Y)
		}
	}
	return out.Bytes()
}

func decodeChat(encoded []byte) (n codec.Chat, err error) {
	in := cgd.NewReader(encoded)
	n.ID = in.ExtractString()
	n.Sent = in.ExtractInt64()
	n.Board = in.ExtractString()
	n.Author.ID = in.ExtractUint32()
	n.Author.Name = in.ExtractString()
	n.Author.Active = in.ExtractBool()
	n.Text = in.ExtractString()
	n.Mentions = in.ExtractStrings()
	n.Strokes = make([]codec.Stroke, in.ExtractCount(smallestStroke))
	for i := range n.Strokes {
		stroke := &n.Strokes[i]
		stroke.Color = in.ExtractString()
		stroke.Width = in.ExtractFloat64()
		stroke.Points = make([]codec.Position, in.ExtractCount(sizePosition))
		for k := range stroke.Points {
			stroke.Points[k].X = in.ExtractInt32()
			stroke.Points[k].Y = in.ExtractInt32()
		}
	}
	return n, in.End()
}
