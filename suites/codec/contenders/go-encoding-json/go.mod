module wirelab.dev/codec/go-encoding-json

go 1.26

require (
	wirelab.dev/codec v0.0.0
	wirelab.dev/sdk v0.0.0
)

replace wirelab.dev/codec => ../../libraries/go

replace wirelab.dev/sdk => ../../../../sdk/go
