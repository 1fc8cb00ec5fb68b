/** msgpackr: maps that every decoder reads, or records of its own, as the tuning says. */

import { decodeIter, Packr } from 'msgpackr';
import { serveCodec, withIntegers } from 'wirelab-codec';
import { installedVersion, parameter } from 'wirelab-sdk';

function optionsOf(spec) {
  return {
    useRecords: parameter(spec, 'records', false),
    int64AsType: parameter(spec, 'int64_as', 'number'),
  };
}

function packrOf(spec) {
  return new Packr(optionsOf(spec));
}

await serveCodec({
  library: installedVersion('msgpackr'),
  format: (spec) => (parameter(spec, 'records', false) ? 'msgpackr-records' : 'msgpack'),
  open(shape, spec) {
    const packr = packrOf(spec);
    const prepared = parameter(spec, 'bigint', true) ? withIntegers[shape] : undefined;
    return {
      encode: prepared ? (native) => packr.pack(prepared(native)) : (native) => packr.pack(native),
      decode: (bytes) => packr.unpack(bytes),
    };
  },
  version(_, spec) {
    const packr = packrOf(spec);
    return { encode: (value) => packr.pack(value), decode: (bytes) => packr.unpack(bytes) };
  },
  large(spec) {
    // A blob that is read is a view of the message otherwise.
    const packr = new Packr({ ...optionsOf(spec), copyBuffers: true });
    return {
      blob: { encode: (data) => packr.pack(data), decode: (bytes) => packr.unpack(bytes) },
      // Values follow each other: each says where it ends.
      writer: (sink) => (record) => sink.write(packr.pack(withIntegers.point(record))),
      reader: (chunks) => decodeIter(chunks, optionsOf(spec)),
    };
  },
});
