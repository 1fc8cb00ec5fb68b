package main

import (
	"io"

	"wirelab.dev/codec"
	"wirelab.dev/codec/go-cgd-buffer/cgd"
)

// large has blobs as lists of bytes, and records that follow each other without anything between:
// all of them have the same size.
func large() *codec.Large {
	return &codec.Large{
		Blob: codec.NativeCodec[[]byte]{
			Encode: func(blob *[]byte) ([]byte, error) {
				out := cgd.NewBuffer(sizeCount + len(*blob))
				out.AppendUint8s(*blob)
				return out.Bytes()
			},
			Decode: func(encoded []byte) ([]byte, error) {
				in := cgd.NewReader(encoded)
				blob := in.ExtractUint8s()
				return blob, in.End()
			},
		},
		Writer: func(w io.Writer) func(any) error {
			return func(record any) error {
				point := record.(*codec.Point)
				out := cgd.NewBuffer(sizePoint)
				out.AppendInt64(point.Time)
				out.AppendFloat64(point.Value)
				out.AppendInt32(point.Quality)
				encoded, err := out.Bytes()
				if err != nil {
					return err
				}
				_, err = w.Write(encoded)
				return err
			}
		},
		Reader: func(r io.Reader) func(any) error {
			encoded := make([]byte, sizePoint)
			return func(record any) error {
				if _, err := io.ReadFull(r, encoded); err != nil {
					return err
				}
				in := cgd.NewReader(encoded)
				point := record.(*codec.Point)
				point.Time = in.ExtractInt64()
				point.Value = in.ExtractFloat64()
				point.Quality = in.ExtractInt32()
				return in.End()
			}
		},
	}
}
