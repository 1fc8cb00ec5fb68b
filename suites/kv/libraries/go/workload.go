package kv

import (
	"encoding/json"
	"errors"
	"fmt"
	"sort"

	"wirelab.dev/sdk"
)

// kind is what is done with a record.
type kind string

const (
	readKind   kind = "read"
	updateKind kind = "update"
	insertKind kind = "insert"
	modifyKind kind = "modify"
)

// reads says whether the fields come back.
func (k kind) reads() bool { return k == readKind || k == modifyKind }

// changes says whether a field is replaced.
func (k kind) changes() bool { return k == updateKind || k == modifyKind }

// latest is the workload that reads what was inserted last; the others have favourites everywhere.
const latest = "d"

// workloads are YCSB's of single records: how many of 100 operations are reads, and what the others
// are.
var workloads = map[string]struct {
	reads uint64
	other kind
}{
	"a": {50, updateKind}, "b": {95, updateKind}, "c": {100, readKind}, latest: {95, insertKind},
	"f": {50, modifyKind},
}

// workloadOf is the workload of a step.
func workloadOf(spec *sdk.Spec, step *sdk.Step) (string, error) {
	name, err := sdk.StepParameter(spec, step, "workload", "c")
	if _, known := workloads[name]; err == nil && !known {
		err = fmt.Errorf("workload must be a, b, c, d or f, found %q", name)
	}
	return name, err
}

// drawn is the work of a lane at a tick, drawn from nothing but the seed.
type drawn struct {
	kind kind
	// rank of the record: 0 is the one asked for most.
	rank int64
	// field is the one that is written.
	field int
}

// popularity is what the database says of its table: how often each rank is asked for.
type popularity struct {
	Records int64    `json:"records"`
	First   []int64  `json:"first"`
	Until   []uint64 `json:"until"`
}

func popularityOf(spec *sdk.Spec) (*popularity, error) {
	said, ok := spec.Facts["server"]["popularity"]
	if !ok {
		return nil, errors.New("the facts of the server have no popularity of records")
	}
	text, err := json.Marshal(said)
	if err != nil {
		return nil, err
	}
	table := &popularity{}
	return table, json.Unmarshal(text, table)
}

// at draws the work of a lane at a tick.
func (p *popularity) at(workload string, seed uint64, tick, lane int64) drawn {
	h := mix(mix(seed) ^ (uint64(tick)<<16 | uint64(lane)))
	weight := mix(h+1) % p.Until[len(p.Until)-1]
	group := sort.Search(len(p.Until), func(i int) bool { return p.Until[i] > weight })
	first, end := p.First[group], p.Records
	if group+1 < len(p.First) {
		end = p.First[group+1]
	}
	mixed := workloads[workload]
	work := drawn{kind: mixed.other, field: int(mix(h+3) % fields)}
	work.rank = first + int64(mix(h+2)%uint64(end-first))
	if h%100 < mixed.reads {
		work.kind = readKind
	}
	return work
}

// record is the number of the record of a rank; newest is the last one that was inserted.
func (p *popularity) record(workload string, rank, newest int64) int64 {
	if workload == latest {
		return newest - rank
	}
	return int64(mix(uint64(rank)) % uint64(p.Records))
}
