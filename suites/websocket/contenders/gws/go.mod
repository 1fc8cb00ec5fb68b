module wirelab.dev/websocket/gws

go 1.23

require (
	github.com/lxzan/gws v1.8.9
	wirelab.dev/sdk v0.0.0
	wirelab.dev/whiteboard v0.0.0
)

require (
	github.com/dolthub/maphash v0.1.0 // indirect
	github.com/klauspost/compress v1.17.9 // indirect
)

replace wirelab.dev/sdk => ../../../../sdk/go

replace wirelab.dev/whiteboard => ../../libraries/go
