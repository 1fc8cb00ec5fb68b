module wirelab.dev/kv/gomemcache

go 1.26

require (
	github.com/bradfitz/gomemcache v0.0.0-20260422231931-4d751bb6e37c
	wirelab.dev/kv v0.0.0
	wirelab.dev/sdk v0.0.0
)

replace wirelab.dev/kv => ../../libraries/go

replace wirelab.dev/sdk => ../../../../sdk/go
