module wirelab.dev/codec/go-protobuf

go 1.26

require (
	google.golang.org/protobuf v1.36.12
	wirelab.dev/codec v0.0.0
	wirelab.dev/sdk v0.0.0
)

replace wirelab.dev/codec => ../../libraries/go

replace wirelab.dev/sdk => ../../../../sdk/go
