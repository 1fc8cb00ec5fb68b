package k6

import (
	"errors"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

func number(line []byte) (int, error) {
	return strconv.Atoi(string(line))
}

func TestALineThatWasNotCompletedIsLeftOut(t *testing.T) {
	var taken []int
	err := readPoints(strings.NewReader("7\n8\n9"), number, func(point int) error {
		taken = append(taken, point)
		return nil
	})
	if err != nil || !reflect.DeepEqual(taken, []int{7, 8}) {
		t.Errorf("took %v, %v", taken, err)
	}
}

func TestBrokenLinesAreNamed(t *testing.T) {
	for _, line := range []string{"", "x", "13"} {
		err := readPoints(strings.NewReader("1\n"+line+"\n"), number, func(point int) error {
			if point == 13 {
				return errors.New("not wanted")
			}
			return nil
		})
		if err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%q: %v", line, err)
		}
	}
}
