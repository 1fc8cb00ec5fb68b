/** cbor-x: maps that every decoder reads. */

import { decodeIter, Encoder } from 'cbor-x';
import { serveCodec, withIntegers } from 'wirelab-codec';
import { installedVersion, parameter } from 'wirelab-sdk';

function optionsOf(spec) {
  return { useRecords: false, int64AsNumber: parameter(spec, 'int64_as_number', true) };
}

function encoderOf(spec) {
  return new Encoder(optionsOf(spec));
}

await serveCodec({
  library: installedVersion('cbor-x'),
  format: 'cbor',
  open(shape, spec) {
    const encoder = encoderOf(spec);
    const prepared = parameter(spec, 'bigint', true) ? withIntegers[shape] : undefined;
    return {
      encode: prepared
        ? (native) => encoder.encode(prepared(native))
        : (native) => encoder.encode(native),
      decode: (bytes) => encoder.decode(bytes),
    };
  },
  version(_, spec) {
    const encoder = encoderOf(spec);
    return {
      encode: (value) => encoder.encode(value),
      decode: (bytes) => encoder.decode(bytes),
    };
  },
  large(spec) {
    // A blob that is read is a view of the message otherwise.
    const encoder = new Encoder({ ...optionsOf(spec), copyBuffers: true });
    return {
      blob: { encode: (data) => encoder.encode(data), decode: (bytes) => encoder.decode(bytes) },
      // Values follow each other: each says where it ends.
      writer: (sink) => (record) => sink.write(encoder.encode(withIntegers.point(record))),
      reader: (chunks) => decodeIter(chunks, optionsOf(spec)),
    };
  },
});
