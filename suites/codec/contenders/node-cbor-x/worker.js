/** cbor-x: maps that every decoder reads. */

import { Encoder } from 'cbor-x';
import { serveCodec } from 'wirelab-codec';
import { installedVersion, parameter } from 'wirelab-sdk';

import { withIntegers } from './integers.js';

await serveCodec({
  library: installedVersion('cbor-x'),
  format: 'cbor',
  open(shape, spec) {
    const encoder = new Encoder({
      useRecords: false,
      int64AsNumber: parameter(spec, 'int64_as_number', true),
    });
    const prepared = parameter(spec, 'bigint', true) ? withIntegers[shape] : undefined;
    return {
      encode: prepared
        ? (native) => encoder.encode(prepared(native))
        : (native) => encoder.encode(native),
      decode: (bytes) => encoder.decode(bytes),
    };
  },
});
