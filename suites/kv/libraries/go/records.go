package kv

import (
	"context"
	"fmt"
	"hash/crc32"

	"wirelab.dev/sdk"
)

// recordsOperation is the name of the operation with single records.
const recordsOperation = "ycsb"

// RecordStore is a [Store] that has YCSB's user table as well: one record a call, of ten fields in
// order.
type RecordStore interface {
	// ReadRecord gives all fields of a record; nil where there is none.
	ReadRecord(ctx context.Context, key string) ([][]byte, error)
	// WriteRecord replaces fields of a record that is there: so many as there are values, from one on.
	WriteRecord(ctx context.Context, key string, from int, values [][]byte) error
	// InsertRecord makes a record that is not there.
	InsertRecord(ctx context.Context, key string, values [][]byte) error
	// ModifyRecord reads a record and replaces fields of what was read, which it returns. Where
	// another one has written between, all of it is done again.
	ModifyRecord(ctx context.Context, key string, from int, values [][]byte) ([][]byte, error)
}

// WholeRecords is of a [RecordStore] whose database knows no fields: what replaces one replaces all.
type WholeRecords interface {
	// HasWholeRecords does nothing; to have it is to say so.
	HasWholeRecords()
}

// RecordAnswer is what the verifier gets of an operation.
type RecordAnswer struct {
	Kind     kind    `json:"kind"`
	Record   int64   `json:"record"`
	Newest   int64   `json:"newest"`
	Field    int     `json:"field"`
	Sequence int64   `json:"sequence"`
	Found    []int64 `json:"found,omitempty"`
	Content  string  `json:"content,omitempty"`
}

// records performs the operation ycsb: reads, updates, inserts and changes of single records.
type records struct {
	spec       *sdk.Spec
	store      RecordStore
	errors     sdk.Errors
	popularity *popularity
	sequences  *sequences
	// isWhole says that a change replaces all fields.
	isWhole bool
}

// task is one operation, ready for the library.
type task struct {
	drawn
	record int64
	// newest is the last record that was inserted when it was drawn.
	newest int64
	key    string
	// sequence is the number of what it writes; 0 where it writes nothing.
	sequence int64
	// values are those that it writes, from a field on.
	from   int
	values [][]byte
	seen   *seen
}

// newRecords connects: no scenario has records and times connecting.
func newRecords[B any](
	spec *sdk.Spec, contender *Contender[B], connection *connection[B],
) (*records, error) {
	store, err := connection.store(context.Background())
	if err != nil {
		return nil, err
	}
	withRecords, ok := store.(RecordStore)
	if !ok {
		return nil, fmt.Errorf("%s: this client has no records", recordsOperation)
	}
	table, err := popularityOf(spec)
	if err != nil {
		return nil, err
	}
	for number := range spec.Schedule.Steps {
		if _, err := workloadOf(spec, &spec.Schedule.Steps[number]); err != nil {
			return nil, err
		}
	}
	_, isWhole := store.(WholeRecords)
	return &records{
		spec: spec, store: withRecords, errors: contender.Errors, popularity: table,
		sequences: newSequences(table.Records), isWhole: isWhole,
	}, nil
}

// perform does what is drawn for a tick and lane. Neither drawing nor checking is within its time.
func (r *records) perform(ctx context.Context, call *sdk.Call) sdk.Outcome {
	workload, _ := workloadOf(r.spec, call.Step) // looked at when steps were read
	due := r.prepare(workload, call.Tick, call.Lane)
	call.Begin()
	found, err := r.do(ctx, &due)
	call.End()
	if err != nil {
		return r.errors.Outcome(ctx, err)
	}
	return r.judge(&due, found)
}

func (r *records) prepare(workload string, tick, lane int64) task {
	due := task{drawn: r.popularity.at(workload, r.spec.Seed, tick, lane), newest: r.sequences.newestRecord()}
	if due.kind == insertKind {
		due.record = r.sequences.beginInsert()
	} else {
		due.record = r.popularity.record(workload, due.rank, due.newest)
	}
	due.key = nameOfUser(due.record)
	due.seen = r.sequences.beginRead(due.record)
	from, until := r.written(&due)
	if due.kind.changes() {
		due.sequence = r.sequences.beginWrite(due.record, from, until)
	}
	due.from = from
	for field := from; field < until; field++ {
		due.values = append(due.values, valueOf(due.record, field, due.sequence))
	}
	return due
}

// written are the fields from one until another that an operation writes.
func (r *records) written(due *task) (from, until int) {
	switch {
	case due.kind == insertKind, due.kind.changes() && r.isWhole:
		return 0, fields
	case due.kind.changes():
		return due.field, due.field + 1
	default:
		return 0, 0
	}
}

func (r *records) do(ctx context.Context, due *task) ([][]byte, error) {
	switch due.kind {
	case readKind:
		return r.store.ReadRecord(ctx, due.key)
	case updateKind:
		return nil, r.store.WriteRecord(ctx, due.key, due.from, due.values)
	case insertKind:
		return nil, r.store.InsertRecord(ctx, due.key, due.values)
	default:
		return r.store.ModifyRecord(ctx, due.key, due.from, due.values)
	}
}

// judge says whether what was found is what had been written, and no older.
func (r *records) judge(due *task, content [][]byte) sdk.Outcome {
	answer := RecordAnswer{Kind: due.kind, Record: due.record, Newest: due.newest}
	if due.kind == insertKind {
		r.sequences.endInsert(due.record)
	}
	if due.kind.changes() {
		r.sequences.endWrite(due.record, due.from, due.from+len(due.values), due.sequence)
		answer.Field, answer.Sequence = due.field, due.sequence
	}
	if due.kind.reads() {
		answer.Found = r.found(due, content)
		if answer.Found == nil {
			return wrong(due, "a field is not of this record, or is older than it may be")
		}
		replaced := answer.Found[due.from : due.from+len(due.values)]
		if due.kind.changes() && !r.sequences.change(due.record, due.from, replaced) {
			return wrong(due, "another change had replaced what this one read")
		}
	}
	return sdk.Outcome{Size: sizeOf(due.values) + sizeOf(content), Answer: func() any {
		if due.kind.reads() {
			answer.Content = fmt.Sprintf("%08x", checksumOf(content))
		}
		return answer
	}}
}

// found are the writes that a read found, by field; nil where one of them cannot be.
func (r *records) found(due *task, content [][]byte) []int64 {
	if len(content) != fields {
		return nil
	}
	found := make([]int64, fields)
	for field := range found {
		found[field] = sequenceOf(content[field], due.record, field, r.popularity.Records)
		if found[field] == nobody || !due.seen.mayFind(field, found[field]) {
			return nil
		}
	}
	return found
}

func wrong(due *task, why string) sdk.Outcome {
	return sdk.Outcome{Status: sdk.WrongAnswer, Fault: &sdk.Fault{
		Class: "WrongAnswer", Message: fmt.Sprintf("%s of record %d: %s", due.kind, due.record, why),
	}}
}

func sizeOf(values [][]byte) uint32 {
	size := 0
	for _, value := range values {
		size += len(value)
	}
	return uint32(size)
}

func checksumOf(content [][]byte) uint32 {
	sum := uint32(0)
	for _, value := range content {
		sum = crc32.Update(sum, crc32.IEEETable, value)
	}
	return sum
}
