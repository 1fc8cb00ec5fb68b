package sdk

// Status bytes of the contract; 64 to 255 are named by the suites.
const (
	OK           = 0
	Failed       = 1
	Timeout      = 2
	Disconnected = 3
	Refused      = 4
	ItemError    = 5
	WrongAnswer  = 6
	Unsupported  = 7
)
