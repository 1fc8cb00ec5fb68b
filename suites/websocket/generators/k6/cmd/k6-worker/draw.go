package main

import (
	"fmt"
	"hash/crc32"
	"strings"
)

func boardName(number int64) string {
	return fmt.Sprintf("b%04d", number)
}

// drawText is message seq of a user as the seed makes it: the rule of the suite's verifier.
func drawText(seed uint64, board string, user, seq, length int64) string {
	z := func(i int) uint32 {
		return crc32.ChecksumIEEE(fmt.Appendf(nil, "%d:%d:%d:%d", seed, user, seq, i))
	}
	look, from, to := z(0), z(1), z(2)
	text := fmt.Sprintf(
		`{"type":"draw","board":"%s","user":%d,"seq":%d,"color":"#%06x","width":%d,"points":[[%d,%d],[%d,%d]],"pad":"`,
		board, user, seq, look&0xffffff, 1+(look>>24)%8,
		from%1920, (from>>16)%1080, to%1920, (to>>16)%1080,
	)
	padding := max(0, int(length)-len(text)-len(`"}`))
	return text + strings.Repeat(".", padding) + `"}`
}
