module wirelab.dev/messaging

go 1.26

require (
	github.com/HdrHistogram/hdrhistogram-go v1.4.0
	wirelab.dev/sdk v0.0.0
)

replace wirelab.dev/sdk => ../../../../sdk/go
