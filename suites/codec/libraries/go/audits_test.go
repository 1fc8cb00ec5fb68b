package codec

import (
	"encoding/json"
	"slices"
	"testing"
)

// audited gives what an operation of a codec for lists of strings folds to: in a loop before its audit,
// in the audit, and in the loop again.
func audited(t *testing.T, operation string, made NativeCodec[T4]) (before, audit, after uint32) {
	t.Helper()
	pool, err := readPool[T4](suite, "T4")
	if err != nil {
		t.Fatal(err)
	}
	shape := Native(func() NativeCodec[T4] { return made }).open(pool, FoldT4, false)
	its, err := shape.loop(operation)
	if err != nil {
		t.Fatal(err)
	}
	run := func(work func() (uint32, error)) uint32 {
		t.Helper()
		sum, err := work()
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	loop := func() (uint32, error) { return its.run(shape.size()) }
	return run(loop), run(its.audit), run(loop)
}

// sums are what the values of T4 and their twins fold to.
func sumsOfT4(t *testing.T) (values, twins uint32) {
	t.Helper()
	pool, err := readPool[T4](suite, "T4")
	if err != nil {
		t.Fatal(err)
	}
	for i := range pool.Values {
		values += FoldT4(&pool.Values[i])
		twins += FoldT4(&pool.Twins[i])
	}
	if values == twins {
		t.Fatal("twins fold as their values do")
	}
	return values, twins
}

func TestAnAuditIsOfTheTwinsAndLeavesNoTrace(t *testing.T) {
	values, twins := sumsOfT4(t)
	honest := NativeCodec[T4]{Encode: encodeJSON, Decode: decodeJSON}
	for _, operation := range []string{decode, roundTrip} {
		before, audit, after := audited(t, operation, honest)
		if before != values || audit != twins || after != values {
			t.Errorf("%s: %d, %d, %d; values are %d, twins %d", operation, before, audit, after, values, twins)
		}
	}
	before, audit, after := audited(t, encode, honest)
	if audit != twins || before != after {
		t.Errorf("encode: %d, %d, %d; twins are %d", before, audit, after, twins)
	}
}

func TestWhoKeepsEncodingsByTheirValuesPlaceIsFound(t *testing.T) {
	values, _ := sumsOfT4(t)
	known := map[*T4][]byte{}
	kept := func(value *T4) ([]byte, error) {
		if _, ok := known[value]; !ok {
			known[value], _ = json.Marshal(value)
		}
		return slices.Clone(known[value]), nil
	}
	_, audit, _ := audited(t, encode, NativeCodec[T4]{Encode: kept, Decode: decodeJSON})
	if size := uint32(16); audit != values+size {
		t.Errorf("%d, and the values before are %d: each is another one than its twin", audit, values)
	}
}

func TestWhoHandsOutOneListTwiceFindsItChanged(t *testing.T) {
	known := map[string]T4{}
	shared := func(encoded []byte) (T4, error) {
		value, ok := known[string(encoded)]
		if !ok {
			value, _ = decodeJSON(encoded)
			known[string(encoded)] = value
		}
		return value, nil
	}
	codec := NativeCodec[T4]{Encode: encodeJSON, Decode: shared}
	pool, err := readPool[T4](suite, "T4")
	if err != nil {
		t.Fatal(err)
	}
	its, err := Native(func() NativeCodec[T4] { return codec }).open(pool, FoldT4, false).loop(decode)
	if err != nil {
		t.Fatal(err)
	}
	_, twins := sumsOfT4(t)
	if sum, err := its.audit(); sum != twins || err != nil {
		t.Errorf("%d, %v; twins are %d", sum, err, twins)
	}
	if sum, err := its.audit(); sum == twins || err != nil {
		t.Errorf("what was spoilt is as it was: %d, %v", sum, err)
	}
}
