/** Work that is left without any codec: copying bytes, and looking at a value that is there. */

import { serveCodec } from 'wirelab-codec';

await serveCodec({
  library: { name: 'Node.js', version: process.versions.node },
  format: 'none',
  open() {
    /** By length, and kept: a new Buffer would take longer than copying into it. */
    const targets = new Map();
    return {
      copy(bytes) {
        let target = targets.get(bytes.length);
        if (!target) {
          target = Buffer.alloc(bytes.length);
          targets.set(bytes.length, target);
        }
        target.set(bytes);
        return target;
      },
    };
  },
});
