package main

import (
	"io"

	"google.golang.org/protobuf/encoding/protodelim"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/wrapperspb"
	"wirelab.dev/codec"
	"wirelab.dev/codec/go-protobuf/shapes"
)

// large has blobs in the library's own message of bytes, and records with their lengths before
// them.
func large() *codec.Large {
	return &codec.Large{
		Blob: codec.NativeCodec[[]byte]{
			Encode: func(blob *[]byte) ([]byte, error) {
				return options.Marshal(wrapperspb.Bytes(*blob))
			},
			Decode: func(encoded []byte) ([]byte, error) {
				var message wrapperspb.BytesValue
				err := proto.Unmarshal(encoded, &message)
				return message.GetValue(), err
			},
		},
		Writer: func(w io.Writer) func(any) error {
			return func(record any) error {
				point := record.(*codec.Point)
				_, err := protodelim.MarshalTo(w, &shapes.TelemetryPoint{
					Time: point.Time, Value: point.Value, Quality: point.Quality,
				})
				return err
			}
		},
		Reader: func(r io.Reader) func(any) error {
			buffered := r.(protodelim.Reader)
			return func(record any) error {
				var message shapes.TelemetryPoint
				err := protodelim.UnmarshalFrom(buffered, &message)
				*record.(*codec.Point) = codec.Point{
					Time:    message.GetTime(),
					Value:   message.GetValue(),
					Quality: message.GetQuality(),
				}
				return err
			}
		},
	}
}
