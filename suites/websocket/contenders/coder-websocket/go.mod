module wirelab.dev/websocket/coder-websocket

go 1.23

require (
	github.com/coder/websocket v1.8.15
	wirelab.dev/sdk v0.0.0
	wirelab.dev/whiteboard v0.0.0
)

replace wirelab.dev/sdk => ../../../../sdk/go

replace wirelab.dev/whiteboard => ../../libraries/go
