// gopcua is github.com/gopcua/opcua: the services Read and Write of its client.
package main

import (
	"wirelab.dev/opcua"
	"wirelab.dev/sdk"
)

func main() {
	opcua.Main(opcua.Contender{
		Library: sdk.Module("gopcua", "github.com/gopcua/opcua"), Make: newClient, Errors: failures,
	})
}
