module wirelab.dev/sdk

go 1.23
