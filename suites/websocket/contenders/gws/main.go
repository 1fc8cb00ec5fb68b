// gws is a whiteboard server on github.com/lxzan/gws.
package main

import (
	"net/http"

	"github.com/lxzan/gws"
	"wirelab.dev/sdk"
	"wirelab.dev/whiteboard"
)

const longest = 64 * 1024

func main() {
	board := NewWhiteboard()
	upgrader := gws.NewUpgrader(board, &gws.ServerOption{
		// Handling the messages of one connection in parallel would change their order.
		ParallelEnabled: false,
		// Text is forwarded as it came: what is not UTF-8 must not reach the others.
		CheckUtf8Enabled:   true,
		ReadMaxPayloadSize: longest,
		Recovery:           gws.Recovery,
		PermessageDeflate:  gws.PermessageDeflate{Enabled: false},
	})
	accept := func(response http.ResponseWriter, request *http.Request) {
		socket, err := upgrader.Upgrade(response, request)
		if err != nil {
			return // gws has answered
		}
		// A goroutine of its own lets net/http give up what it keeps of the request.
		go socket.ReadLoop()
	}
	whiteboard.Main(sdk.Module("gws", "github.com/lxzan/gws"), accept, board.Close)
}
