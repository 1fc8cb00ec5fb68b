package main

import (
	"reflect"
	"testing"
)

func TestDurationsByName(t *testing.T) {
	for header, expected := range map[string]map[string]int64{
		`keys;dur=0.25, hop-out;dur=4.6,client;dur=61;desc="a, b; dur=7" , x_y ; dur="2"`: {
			"keys": 250_000, "hop-out": 4_600_000, "client": 61_000_000, "x_y": 2_000_000,
		},
		`db;desc="\"q\", r";DUR=1e1`:     {"db": 10_000_000},
		`miss, total;dur=3;dur=4`:        {"total": 3_000_000},
		`twice;dur=1, twice;dur=2`:       {"twice": 1_000_000},
		`none;dur=, less;dur=-1, ,;;`:    {},
		`n;dur=NaN, i;dur=inf, q;desc="`: {},
		``:                               {},
	} {
		if found := timingsOf(header); !reflect.DeepEqual(found, expected) {
			t.Errorf("%s: %v", header, found)
		}
	}
}
