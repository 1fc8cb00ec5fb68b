package opcua

import "sync"

// Reading is a value of a tag as the library read it; Bad is nil where it is good.
type Reading struct {
	Value any
	Bad   *BadItem
}

// Changes are the values of all tags after each change: number n is whole when all have come n times
// more than at first.
type Changes struct {
	mutex  sync.Mutex
	latest []Reading
	came   []int64

	// The change that is not whole yet, and how many tags it lacks.
	number  int64
	missing int

	whole   map[int64][]Reading
	awaited map[int64]chan change
}

// change is what a change brought: the values of all tags, or why none came.
type change struct {
	readings []Reading
	err      error
}

func newChanges(tags int) *Changes {
	return &Changes{
		latest: make([]Reading, tags), came: make([]int64, tags), missing: tags,
		whole: map[int64][]Reading{}, awaited: map[int64]chan change{},
	}
}

// await gives the values after a change, once they have all come; it is called once for each.
func (c *Changes) await(number int64) <-chan change {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	told := make(chan change, 1)
	if readings, found := c.whole[number]; found {
		delete(c.whole, number)
		told <- change{readings: readings}
	} else {
		c.awaited[number] = told
	}
	return told
}

// Put takes the next value of a tag.
func (c *Changes) Put(tag int, reading Reading) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.put(tag, reading)
}

// Fail tells whoever waits that nothing comes.
func (c *Changes) Fail(err error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for number, told := range c.awaited {
		told <- change{err: err}
		delete(c.awaited, number)
	}
}

// putAll takes the next values of all tags.
func (c *Changes) putAll(readings []Reading) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for tag, reading := range readings {
		c.put(tag, reading)
	}
}

func (c *Changes) put(tag int, reading Reading) {
	c.latest[tag] = reading
	c.came[tag]++
	if c.came[tag] == c.number+1 {
		c.missing--
	}
	for c.missing == 0 {
		c.handOver()
	}
}

func (c *Changes) handOver() {
	readings := append([]Reading(nil), c.latest...)
	if told, found := c.awaited[c.number]; found {
		delete(c.awaited, c.number)
		told <- change{readings: readings}
	} else {
		c.whole[c.number] = readings
	}
	c.number++
	for _, came := range c.came {
		if came <= c.number {
			c.missing++
		}
	}
}
