/** JSON of the language itself. */

import { serveCodec } from 'wirelab-codec';

/** Fatal: bytes that are no UTF-8 are refused, and not replaced in silence. */
const text = new TextDecoder('utf-8', { fatal: true });

const codec = {
  encode: (native) => Buffer.from(JSON.stringify(native)),
  decode: (bytes) => JSON.parse(text.decode(bytes)),
};

await serveCodec({
  library: { name: 'V8 JSON', version: process.versions.v8 },
  format: 'json',
  open: () => codec,
  version: () => codec,
});
