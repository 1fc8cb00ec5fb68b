/** avsc: a codec that it generates from the schema when it starts. */

import avro from 'avsc';
import { serveCodec } from 'wirelab-codec';
import { installedVersion } from 'wirelab-sdk';

import { largeOf } from './large.js';
import { exactLong } from './longs.js';
import { point, schemas, versions } from './schemas.js';

function typeOf(schema) {
  return avro.Type.forSchema(schema, { registry: { long: exactLong } });
}

await serveCodec({
  library: installedVersion('avsc'),
  format: 'avro',
  open(shape) {
    const type = typeOf(schemas[shape]);
    return {
      encode: (native) => type.toBuffer(native),
      decode: (bytes) => type.fromBuffer(bytes),
    };
  },
  version(name) {
    const type = avro.Type.forSchema(versions[name]);
    return {
      type,
      encode: (value) => type.toBuffer(value),
      // Avro reads with the schema of who wrote, which comes with a file or from a registry.
      decode: (bytes, writer) => type.fromBuffer(bytes, type.createResolver(writer.type)),
    };
  },
  large: () => largeOf(typeOf, point),
});
