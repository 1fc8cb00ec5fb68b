module wirelab.dev/messaging/go-zeromq

go 1.26.0

require (
	github.com/pebbe/zmq4 v1.4.0
	wirelab.dev/messaging v0.0.0
	wirelab.dev/sdk v0.0.0
)

replace wirelab.dev/messaging => ../../libraries/go

replace wirelab.dev/sdk => ../../../../sdk/go
