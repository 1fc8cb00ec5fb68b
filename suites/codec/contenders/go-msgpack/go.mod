module wirelab.dev/codec/go-msgpack

go 1.26

require (
	github.com/vmihailenco/msgpack/v5 v5.4.1
	wirelab.dev/codec v0.0.0
	wirelab.dev/sdk v0.0.0
)

require github.com/vmihailenco/tagparser/v2 v2.0.0 // indirect

replace wirelab.dev/codec => ../../libraries/go

replace wirelab.dev/sdk => ../../../../sdk/go
