module wirelab.dev/codec/go-cbor

go 1.26

require (
	github.com/fxamacker/cbor/v2 v2.9.6
	wirelab.dev/codec v0.0.0
	wirelab.dev/sdk v0.0.0
)

require github.com/x448/float16 v0.8.4 // indirect

replace wirelab.dev/codec => ../../libraries/go

replace wirelab.dev/sdk => ../../../../sdk/go
