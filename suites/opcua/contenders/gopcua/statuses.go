package main

import (
	"strings"

	"github.com/gopcua/opcua/ua"
	"wirelab.dev/opcua"
	"wirelab.dev/sdk"
)

// Bits that are not all zero where a status is not good.
const severity = 0xC000_0000

var failures = sdk.Errors{
	Timeout: []error{ua.StatusBadTimeout, ua.StatusBadRequestTimeout},
	Disconnected: []error{
		ua.StatusBadConnectionClosed, ua.StatusBadSecureChannelClosed, ua.StatusBadSecureChannelIDInvalid,
		ua.StatusBadServerNotConnected, ua.StatusBadNotConnected, ua.StatusBadSessionClosed,
		ua.StatusBadSessionIDInvalid, ua.StatusBadSessionNotActivated, ua.StatusBadShutdown,
	},
	Own: sdk.Own(func(code ua.StatusCode) string { return ua.StatusCodes[code].Name }),
}

func bad(count int, status func(int) ua.StatusCode) []opcua.BadItem {
	var found []opcua.BadItem
	for i := range count {
		if code := status(i); code&severity != 0 {
			name := ua.StatusCodes[code].Name
			found = append(found, opcua.BadItem{
				Position: i, Class: "ua.StatusCode", Status: name, Name: standard(name), Text: ua.StatusCodes[code].Text,
			})
		}
	}
	return found
}

// standard spells a status as the standard does.
func standard(name string) string {
	return strings.ReplaceAll(strings.TrimPrefix(name, "Status"), "ID", "Id")
}
