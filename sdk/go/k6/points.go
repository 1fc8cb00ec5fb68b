package k6

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Points hands over each point that k6 left, in turn; an error names the line that is none.
func Points[P any](c *Child, parse func(line []byte) (P, error), take func(P) error) error {
	file, err := os.Open(filepath.Join(c.folder, pointsFile))
	if err != nil {
		return err
	}
	defer file.Close()
	return readPoints(file, parse, take)
}

// readPoints leaves out a last line without its end: k6 did not come to write it.
func readPoints[P any](file io.Reader, parse func([]byte) (P, error), take func(P) error) error {
	lines := bufio.NewReader(file)
	for number := 1; ; number++ {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		point, err := parse(bytes.TrimSuffix(line, []byte{'\n'}))
		if err == nil {
			err = take(point)
		}
		if err != nil {
			return fmt.Errorf("points, line %d: %w", number, err)
		}
	}
}
