package codec

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"

	"wirelab.dev/sdk"
)

// A bad input may ask a decoder for more memory than there is. Other languages throw an error
// then; Go ends the process, and before that it may take all of the machine. Bad inputs are
// therefore decoded by a process apart, this program once more, whose address space has a limit.
const (
	apartStep    = "CODEC_APART_STEP" // set for that process: the shape to decode
	addressSpace = 4 << 30            // bytes
	outOfMemory  = "out of memory"
)

// decodedApart is what came of an input; an error is one of the harness.
func decodedApart(step string, encoded []byte) (answerLine, error) {
	program, err := os.Executable()
	if err != nil {
		return answerLine{}, err
	}
	command := exec.Command(program)
	command.Env = append(os.Environ(), apartStep+"="+step)
	command.Stdin = strings.NewReader(hex.EncodeToString(encoded))
	var said bytes.Buffer
	command.Stderr = &said
	line := answerLine{StartNS: sdk.Now()}
	told, err := command.Output()
	line.EndNS = sdk.Now()
	switch {
	case err == nil:
		reader := json.NewDecoder(bytes.NewReader(told))
		reader.UseNumber() // a float64 would not hold every u64
		err = reader.Decode(&line)
	case strings.Contains(said.String(), outOfMemory):
		first, _, _ := strings.Cut(said.String(), "\n")
		line.Error, err = &sdk.Failure{Class: outOfMemory, Message: first}, nil
	default:
		err = fmt.Errorf("decoding apart: %w: %s", err, said.String())
	}
	return line, err
}

// performApart is the process apart.
func performApart(contender func(*sdk.Spec) (Contender, error), step string) error {
	text, err := os.ReadFile(os.Getenv("WIRELAB_SPEC"))
	if err != nil {
		return err
	}
	var spec sdk.Spec
	if err := json.Unmarshal(text, &spec); err != nil {
		return err
	}
	c, err := contender(&spec)
	if err != nil {
		return err
	}
	t, err := c.open(os.Getenv("CODEC_SUITE"), step)
	if err != nil {
		return err
	}
	input, err := io.ReadAll(hex.NewDecoder(os.Stdin))
	if err != nil {
		return err
	}
	// What a library makes at its first use is not charged to the bad input.
	if good, err := t.encode(0); err == nil {
		_, _ = decoded(t, good)
	}
	limit := syscall.Rlimit{Cur: addressSpace, Max: addressSpace}
	if err := syscall.Setrlimit(syscall.RLIMIT_AS, &limit); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(decodedHere(t, input))
}

// decodedHere decodes in this process and counts what was allocated for it.
func decodedHere(t pooledShape, encoded []byte) answerLine {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	line := answerLine{StartNS: sdk.Now()}
	value, err := sdk.Caught(func() (any, error) { return decoded(t, encoded) })
	line.EndNS = sdk.Now()
	runtime.ReadMemStats(&after)
	allocated := after.TotalAlloc - before.TotalAlloc
	line.AllocatedBytes = &allocated
	if err != nil {
		line.Error = sdk.FailureOf(err)
	} else {
		line.say(func() any { return value })
	}
	return line
}

// decoded is the native value of an encoding.
func decoded(t pooledShape, encoded []byte) (any, error) {
	value, err := t.decode(encoded)
	if err != nil {
		return nil, err
	}
	return value(), nil
}
