module wirelab.dev/kv/rueidis

go 1.26

require (
	github.com/redis/rueidis v1.0.79
	wirelab.dev/kv v0.0.0
	wirelab.dev/sdk v0.0.0
)

require golang.org/x/sys v0.47.0 // indirect

replace wirelab.dev/kv => ../../libraries/go

replace wirelab.dev/sdk => ../../../../sdk/go
