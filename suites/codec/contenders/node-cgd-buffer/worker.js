/** A codec of the CGD buffer format, written anew from its description. */

import { serveCodec } from 'wirelab-codec';
import { parameter } from 'wirelab-sdk';

import { CgdReader } from './cgd-reader.js';
import { CgdWriter } from './cgd-writer.js';
import { shapes } from './shapes.js';

await serveCodec({
  library: { name: 'cgd-buffer', version: '0.1.0' },
  format: 'cgd',
  open(shape, spec) {
    const { append, extract } = shapes[shape];
    const writer = new CgdWriter(parameter(spec, 'slab_bytes', 65_536));
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
  },
});
