// Package points is the file in which k6 leaves what its users measured: one point a line, in
// tab-separated columns.
package points

import (
	"fmt"
	"strconv"
	"strings"
)

// Prefix is what the names of the users' own metrics begin with. k6 makes a point of its own of
// every message that a user receives; those are not kept.
const Prefix = "wirelab_"

const columns = 5

// Point is one value of a metric.
type Point struct {
	// Metric is the name without its prefix.
	Metric string
	// WallNS is when the value was added, in nanoseconds since 1970.
	WallNS int64
	Value  float64
	User   int
	// Note is free text that belongs to the value.
	Note string
}

// Append adds the line of a point to text.
func Append(text []byte, p Point) []byte {
	text = append(text, p.Metric...)
	text = append(text, '\t')
	text = strconv.AppendInt(text, p.WallNS, 10)
	text = append(text, '\t')
	text = strconv.AppendFloat(text, p.Value, 'g', -1, 64)
	text = append(text, '\t')
	text = strconv.AppendInt(text, int64(p.User), 10)
	text = append(text, '\t')
	text = strconv.AppendQuote(text, p.Note)
	return append(text, '\n')
}

// Parse reads the line of a point, without its end.
func Parse(line []byte) (Point, error) {
	fields := strings.Split(string(line), "\t")
	if len(fields) != columns {
		return Point{}, fmt.Errorf("%d columns instead of %d", len(fields), columns)
	}
	point := Point{Metric: fields[0]}
	var err error
	if point.WallNS, err = strconv.ParseInt(fields[1], 10, 64); err != nil {
		return point, err
	}
	if point.Value, err = strconv.ParseFloat(fields[2], 64); err != nil {
		return point, err
	}
	if point.User, err = strconv.Atoi(fields[3]); err != nil {
		return point, err
	}
	point.Note, err = strconv.Unquote(fields[4])
	return point, err
}
