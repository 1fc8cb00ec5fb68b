package sdk

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

func TestNobodyWaitsForAWriteOfAnother(t *testing.T) {
	const lanes, each = 4, 3 * keptBytes / recordSize
	path := filepath.Join(t.TempDir(), "samples")
	recorder, err := newRecorder(path)
	if err != nil {
		t.Fatal(err)
	}
	record := func(from int64) {
		var group sync.WaitGroup
		for lane := range lanes {
			group.Add(1)
			go func() {
				defer group.Done()
				for number := range each {
					recorder.Record(Sample{IntendedNS: from + int64(number), Lane: uint16(lane)})
				}
			}()
		}
		group.Wait()
	}
	// As long as somebody is at the file.
	recorder.writing.Lock()
	record(0)
	recorder.writing.Unlock()
	// And while they write, and are asked for what there is.
	published := make(chan int64)
	go func() {
		records, _ := recorder.publish()
		published <- records
	}()
	record(each)
	if records := <-published; records < lanes*each {
		t.Errorf("%d records were published", records)
	}
	if records, err := recorder.close(); records != 2*lanes*each || err != nil {
		t.Fatalf("%d records, %v", records, err)
	}
	written, err := os.ReadFile(path)
	if err != nil || len(written) != recordSize*(1+2*lanes*each) {
		t.Fatalf("%d bytes, %v", len(written), err)
	}
	next := [lanes]uint64{}
	for at := recordSize; at < len(written); at += recordSize {
		lane := binary.LittleEndian.Uint16(written[at+30:])
		if found := binary.LittleEndian.Uint64(written[at:]); found != next[lane] {
			t.Fatalf("lane %d: %d comes after %d others", lane, found, next[lane])
		}
		next[lane]++
	}
}
