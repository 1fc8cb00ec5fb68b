package codec

import (
	"encoding/json"
	"fmt"
	"math"
)

// neutralJSON is a native value as the pools write it. A list that is nil is an empty list, as
// for every user of Go; what JSON cannot say (NaN from a bad input) becomes text.
func neutralJSON(native any) (json.RawMessage, error) {
	switch value := native.(type) {
	case T1:
		if unspeakable(float64(value.F)) || unspeakable(value.D) {
			return asText(value)
		}
	case T3:
		native = notNil(value)
	case T4:
		native = notNil(value)
	case T5:
		neutral := make(T5, len(value))
		for key, list := range value {
			neutral[key] = notNil(list)
		}
		native = neutral
	case Telemetry:
		for _, point := range value.Points {
			if unspeakable(point.Value) {
				return asText(value)
			}
		}
		value.Points = notNil(value.Points)
		native = value
	case Chat:
		value.Mentions = notNil(value.Mentions)
		strokes := make([]Stroke, len(value.Strokes))
		for i, stroke := range value.Strokes {
			if unspeakable(stroke.Width) {
				return asText(value)
			}
			stroke.Points = notNil(stroke.Points)
			strokes[i] = stroke
		}
		value.Strokes = strokes
		native = value
	}
	return json.Marshal(native)
}

func notNil[E any](list []E) []E {
	if list == nil {
		return []E{}
	}
	return list
}

func unspeakable(f float64) bool {
	return math.IsNaN(f) || math.IsInf(f, 0)
}

func asText(value any) (json.RawMessage, error) {
	return json.Marshal(fmt.Sprintf("%+v", value))
}
