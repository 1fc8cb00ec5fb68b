package codec

import "testing"

const suite = "../.."

// The sums of all instances' folds as judging/folds.py gives them for UTF-8.
var sums = map[string]uint32{
	"T1":        2858895842,
	"T2":        6437888,
	"T3":        65731,
	"T4":        6508754,
	"T5":        1919854,
	"telemetry": 1420110069,
	"chat":      1006674053,
}

func TestEveryInstanceFoldsAsTheSuiteSays(t *testing.T) {
	baseline := Contender{
		T1: Baseline[T1](), T2: Baseline[T2](), T3: Baseline[T3](), T4: Baseline[T4](),
		T5: Baseline[T5](), Telemetry: Baseline[Telemetry](), Chat: Baseline[Chat](),
	}
	for step, want := range sums {
		opened, err := baseline.open(suite, step)
		if err != nil {
			t.Fatal(err)
		}
		its, err := opened.loop(touch)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := its.run(opened.size()); got != want || err != nil {
			t.Errorf("%s folds to %d, not %d: %v", step, got, want, err)
		}
	}
}

func TestCopiesFoldAsTheSuiteSays(t *testing.T) {
	pool, err := readPool[T3](suite, "T3")
	if err != nil {
		t.Fatal(err)
	}
	its, err := Baseline[T3]().open(pool, FoldT3, true).loop(copyBytes)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := its.run(len(pool.Values)); got != 1648 || err != nil {
		t.Errorf("%d, %v", got, err)
	}
}

func TestAnUnknownStepIsAnError(t *testing.T) {
	if _, err := (Contender{}).open(suite, "T6"); err == nil {
		t.Error("T6 was opened")
	}
}

func TestStringsFoldByTheirBytes(t *testing.T) {
	if FoldString("") != 0 || FoldString("이") != 3+31*0xEC+17*0xB4 {
		t.Error(FoldString("이"))
	}
}

func TestFloatsAreTruncatedTowardsZero(t *testing.T) {
	if FoldFloat(-1.75) != ^uint32(0) || FoldFloat(1<<33+5.5) != 5 {
		t.Error(FoldFloat(-1.75), FoldFloat(1<<33+5.5))
	}
}
