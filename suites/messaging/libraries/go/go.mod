module wirelab.dev/messaging

go 1.26

require wirelab.dev/sdk v0.0.0

replace wirelab.dev/sdk => ../../../../sdk/go
