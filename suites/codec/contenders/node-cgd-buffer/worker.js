/** A codec of the CGD buffer format, written anew from its description. */

import { serveCodec } from 'wirelab-codec';
import { parameter } from 'wirelab-sdk';

import { CgdReader } from './cgd-reader.js';
import { CgdWriter } from './cgd-writer.js';
import { largeOf } from './large.js';
import { shapes } from './shapes.js';
import { numbered, versions } from './versions.js';

const SLAB_BYTES = 65_536;

function codecOf({ append, extract }, slabBytes) {
  const writer = new CgdWriter(slabBytes);
  return {
    encode(native) {
      writer.discard();
      append(writer, native);
      return writer.take();
    },
    decode(bytes) {
      const reader = new CgdReader(bytes);
      const native = extract(reader);
      reader.finish();
      return native;
    },
  };
}

await serveCodec({
  library: { name: 'cgd-buffer', version: '0.1.0' },
  format: 'cgd',
  open: (shape, spec) => codecOf(shapes[shape], parameter(spec, 'slab_bytes', SLAB_BYTES)),
  version: (name, spec) => ({
    ...codecOf(versions[name], parameter(spec, 'slab_bytes', SLAB_BYTES)),
    toMessage: numbered,
    fromMessage: (value) => value,
  }),
  large: (spec) => largeOf((shape) => codecOf(shape, parameter(spec, 'slab_bytes', SLAB_BYTES))),
});
