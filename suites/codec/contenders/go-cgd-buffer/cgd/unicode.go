package cgd

import (
	"encoding/binary"
	"math"
	"strings"
	"unicode/utf8"
)

// Characters beyond the first 65,536 are two units of UTF-16: a high surrogate and a low one.
const (
	highSurrogates = 0xD800
	lowSurrogates  = 0xDC00
	noSurrogates   = 0xE000

	surrogateBits = 10
	surrogateMask = 1<<surrogateBits - 1
	firstOfPairs  = 0x10000
)

func isSurrogate(unit uint16) bool {
	return unit >= highSurrogates && unit < noSurrogates
}

// putUTF16 writes the units of s to room, which must be long enough, and counts them.
func putUTF16(room []byte, s string) (units int, ok bool) {
	at := 0
	for i := 0; i < len(s); {
		first := s[i]
		if first < utf8.RuneSelf {
			binary.LittleEndian.PutUint16(room[at:], uint16(first))
			at += unitSize
			i++
			continue
		}
		// Three bytes are nearly all of what is not ASCII in CJK.
		if first>>4 == 0xE && i+2 < len(s) && s[i+1]>>6 == 2 && s[i+2]>>6 == 2 {
			unit := uint16(first)<<12 | uint16(s[i+1]&0x3F)<<6 | uint16(s[i+2]&0x3F)
			if unit < 0x800 || isSurrogate(unit) {
				return 0, false
			}
			binary.LittleEndian.PutUint16(room[at:], unit)
			at += unitSize
			i += 3
			continue
		}
		r, width := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError { // a U+FFFD that is meant has three bytes
			return 0, false
		}
		if r > math.MaxUint16 {
			high, low := surrogates(r)
			binary.LittleEndian.PutUint16(room[at:], high)
			at += unitSize
			r = rune(low)
		}
		binary.LittleEndian.PutUint16(room[at:], uint16(r))
		at += unitSize
		i += width
	}
	return at / unitSize, true
}

// Units that are converted at once, and the most bytes that they become.
const (
	chunkUnits = 84
	chunkBytes = utf8.UTFMax - 1
)

// toUTF8 converts units; not ok with a lone surrogate among them.
func toUTF8(units []byte) (text string, ok bool) {
	var room [chunkUnits * chunkBytes]byte // on the stack
	size, rest, ok := putUTF8(&room, units)
	if len(rest) == 0 || !ok {
		return string(room[:size]), ok
	}
	var long strings.Builder
	long.Grow(size + len(rest)/unitSize*chunkBytes)
	for {
		long.Write(room[:size])
		if len(rest) == 0 || !ok {
			return long.String(), ok
		}
		size, rest, ok = putUTF8(&room, rest)
	}
}

// putUTF8 converts as many units as room has space for and gives the rest.
func putUTF8(room *[chunkUnits * chunkBytes]byte, units []byte) (size int, rest []byte, ok bool) {
	for len(units) >= unitSize && size+utf8.UTFMax <= len(room) {
		unit := binary.LittleEndian.Uint16(units)
		units = units[unitSize:]
		switch {
		case unit < utf8.RuneSelf:
			room[size] = byte(unit)
			size++
		case unit < 0x800:
			room[size] = 0xC0 | byte(unit>>6)
			room[size+1] = 0x80 | byte(unit)&0x3F
			size += 2
		case !isSurrogate(unit):
			room[size] = 0xE0 | byte(unit>>12)
			room[size+1] = 0x80 | byte(unit>>6)&0x3F
			room[size+2] = 0x80 | byte(unit)&0x3F
			size += 3
		default:
			r, paired := paired(unit, units)
			if !paired {
				return 0, nil, false
			}
			units = units[unitSize:]
			size += utf8.EncodeRune(room[size:], r)
		}
	}
	return size, units, true
}

func surrogates(r rune) (high, low uint16) {
	r -= firstOfPairs
	return highSurrogates + uint16(r>>surrogateBits), lowSurrogates + uint16(r&surrogateMask)
}

// paired is the character of a surrogate and the unit after it, if they are a pair.
func paired(high uint16, after []byte) (r rune, ok bool) {
	if high >= lowSurrogates || len(after) < unitSize {
		return 0, false
	}
	low := binary.LittleEndian.Uint16(after)
	if low < lowSurrogates || low >= noSurrogates {
		return 0, false
	}
	return firstOfPairs + rune(high-highSurrogates)<<surrogateBits + rune(low-lowSurrogates), true
}
