/** msgpackr: maps that every decoder reads, or records of its own, as the tuning says. */

import { Packr } from 'msgpackr';
import { serveCodec, withIntegers } from 'wirelab-codec';
import { installedVersion, parameter } from 'wirelab-sdk';

function packrOf(spec) {
  return new Packr({
    useRecords: parameter(spec, 'records', false),
    int64AsType: parameter(spec, 'int64_as', 'number'),
  });
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
});
