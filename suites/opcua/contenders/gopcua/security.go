package main

import (
	"context"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	gopcua "github.com/gopcua/opcua"
	"github.com/gopcua/opcua/ua"
	"wirelab.dev/sdk"
)

// security is the policy and the mode of a spec, and the options that give them to the library.
type security struct {
	policy  string
	mode    ua.MessageSecurityMode
	own     []byte
	key     *rsa.PrivateKey
	trusted []byte
	options []gopcua.Option
}

func securityOf(spec *sdk.Spec) (security, error) {
	policy, err := sdk.Parameter(spec, "security", "None")
	if err != nil || policy == "None" {
		return security{}, err
	}
	mode, err := sdk.Parameter(spec, "security_mode", "SignAndEncrypt")
	if err != nil {
		return security{}, err
	}
	folder, _ := spec.Facts["certificates"]["client_folder"].(string)
	s := security{policy: policy, mode: ua.MessageSecurityModeFromString(mode)}
	own, ownErr := os.ReadFile(filepath.Join(folder, "own.der"))
	trusted, trustedErr := os.ReadFile(filepath.Join(folder, "trusted", "peer.der"))
	key, keyErr := privateKey(filepath.Join(folder, "own.key.pem"))
	s.own, s.trusted, s.key = own, trusted, key
	return s, errors.Join(ownErr, trustedErr, keyErr)
}

// privateKey reads a key as it is: the library's own reader takes PKCS #1 alone.
func privateKey(file string) (*rsa.PrivateKey, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, fmt.Errorf("%s has no key", file)
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, err
	}
	own, ok := key.(*rsa.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("%s has a %T", file, key)
	}
	return own, nil
}

// choose asks the server once for the endpoint of the policy and its mode. Without security the
// library needs none.
func (s *security) choose(ctx context.Context, url string, options []gopcua.Option) error {
	if s.own == nil || s.options != nil {
		return nil
	}
	offered, err := gopcua.GetEndpoints(ctx, url, options...)
	if err != nil {
		return err
	}
	endpoint, err := gopcua.SelectEndpoint(offered, s.policy, s.mode)
	if err != nil {
		return err
	}
	// The trusted certificate takes the place of the one that the endpoint brings: the library has no
	// validator, and would otherwise encrypt for whoever answers.
	s.options = []gopcua.Option{
		gopcua.SecurityFromEndpoint(endpoint, ua.UserTokenTypeAnonymous),
		gopcua.Certificate(s.own), gopcua.PrivateKey(s.key), gopcua.RemoteCertificate(s.trusted),
	}
	return nil
}
