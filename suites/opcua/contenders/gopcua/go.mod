module wirelab.dev/opcua/gopcua

go 1.26

require (
	github.com/gopcua/opcua v0.8.0
	wirelab.dev/opcua v0.0.0
	wirelab.dev/sdk v0.0.0
)

replace wirelab.dev/opcua => ../../libraries/go

replace wirelab.dev/sdk => ../../../../sdk/go
