module wirelab.dev/whiteboard

go 1.23

require wirelab.dev/sdk v0.0.0

replace wirelab.dev/sdk => ../../../../sdk/go
