package codec

import "reflect"

// meanwhile is how many results of each input are given before others are looked at: what comes again
// is another one by then.
const meanwhile = 2

// audit is a loop's work on inputs that were changed in place, whose results are looked at later: see
// Audits in the README.md of the suite.
type audit[I, R any] struct {
	inputs []I
	// change puts twins in the places of the inputs, and undoes it when called again; nil where inputs
	// have none: a library's messages.
	change  func()
	produce func(*I) (R, error)
	// look gives the fold of the result of an input, and one more where it is not what is wanted.
	look func(result *R, place int) (uint32, error)
	// kept says that a result is valid until the next one alone.
	kept bool
	// spoil does to a result what its owner may do; nil where its library may go on with it.
	spoil func(*R)
}

// run gives the checksum of one iteration of each input.
func (a audit[I, R]) run() (uint32, error) {
	results := make([]R, len(a.inputs))
	sum, err := a.produced(results)
	if err != nil || a.kept {
		return sum, err
	}
	for i := range meanwhile * len(a.inputs) {
		if _, err := a.produce(&a.inputs[i%len(a.inputs)]); err != nil {
			return 0, err
		}
	}
	for i := range results {
		one, err := a.look(&results[i], i)
		if err != nil {
			return 0, err
		}
		sum += one
	}
	if a.spoil != nil {
		for i := range results {
			a.spoil(&results[i])
		}
	}
	return sum, nil
}

// produced fills results while the inputs are changed, and looks at those that would not last.
func (a audit[I, R]) produced(results []R) (uint32, error) {
	if a.change != nil {
		a.change()
		defer a.change()
	}
	var sum uint32
	for i := range a.inputs {
		var err error
		if results[i], err = a.produce(&a.inputs[i]); err != nil {
			return 0, err
		}
		if !a.kept {
			continue
		}
		one, err := a.look(&results[i], i)
		if err != nil {
			return 0, err
		}
		sum += one
	}
	return sum, nil
}

// looking is the look at native values: folds see only the ends of texts, comparing sees all.
func looking[N any](fold func(*N) uint32, wanted []N) func(*N, int) (uint32, error) {
	return func(value *N, place int) (uint32, error) {
		return fold(value) + differs(value, &wanted[place]), nil
	}
}

// differs is 1 where a value is not the wanted one.
func differs[N any](value, wanted *N) uint32 {
	if reflect.DeepEqual(value, wanted) {
		return 0
	}
	return 1
}

// swap gives each of two values what the other one holds.
func swap[N any](values, twins []N) {
	for i := range values {
		values[i], twins[i] = twins[i], values[i]
	}
}

// swapBytes patches those of one length; others change their places.
func swapBytes(encodings, others [][]byte) {
	for i, encoded := range encodings {
		if len(encoded) != len(others[i]) {
			encodings[i], others[i] = others[i], encoded
			continue
		}
		for k, other := range others[i] {
			encoded[k], others[i][k] = other, encoded[k]
		}
	}
}

// spoil empties what a value refers to, so that nobody else can have it too.
func spoil[N any](value *N) {
	empty(reflect.ValueOf(value).Elem())
}

func empty(value reflect.Value) {
	switch value.Kind() {
	case reflect.Struct:
		for i := range value.NumField() {
			empty(value.Field(i))
		}
	case reflect.Slice:
		for i := range value.Len() {
			empty(value.Index(i))
			value.Index(i).SetZero()
		}
	case reflect.Map:
		value.Clear()
	}
}
