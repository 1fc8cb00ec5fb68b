module wirelab.dev/kv/aerospike-go

go 1.26

require (
	github.com/aerospike/aerospike-client-go/v8 v8.5.0
	wirelab.dev/kv v0.0.0
	wirelab.dev/sdk v0.0.0
)

require (
	github.com/kr/text v0.2.0 // indirect
	github.com/rogpeppe/go-internal v1.16.0 // indirect
	github.com/wadey/gocovmerge v0.0.0-20160331181800-b5bfa59ec0ad // indirect
	github.com/yuin/gopher-lua v1.1.1 // indirect
	golang.org/x/sync v0.16.0 // indirect
	golang.org/x/tools v0.36.0 // indirect
	gopkg.in/yaml.v3 v3.0.1 // indirect
)

replace wirelab.dev/kv => ../../libraries/go

replace wirelab.dev/sdk => ../../../../sdk/go
