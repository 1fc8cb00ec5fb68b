/** msgpackr: maps that every decoder reads, or records of its own, as the tuning says. */

import { Packr } from 'msgpackr';
import { serveCodec } from 'wirelab-codec';
import { installedVersion, parameter } from 'wirelab-sdk';

import { withIntegers } from './integers.js';

await serveCodec({
  library: installedVersion('msgpackr'),
  format: (spec) => (parameter(spec, 'records', false) ? 'msgpackr-records' : 'msgpack'),
  open(shape, spec) {
    const packr = new Packr({
      useRecords: parameter(spec, 'records', false),
      int64AsType: parameter(spec, 'int64_as', 'number'),
    });
    const prepared = parameter(spec, 'bigint', true) ? withIntegers[shape] : undefined;
    return {
      encode: prepared ? (native) => packr.pack(prepared(native)) : (native) => packr.pack(native),
      decode: (bytes) => packr.unpack(bytes),
    };
  },
});
