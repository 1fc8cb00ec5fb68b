/** JSON of the language itself. */

import { cut, serveCodec } from 'wirelab-codec';

/** Fatal: bytes that are no UTF-8 are refused, and not replaced in silence. */
const text = new TextDecoder('utf-8', { fatal: true });

const codec = {
  encode: (native) => Buffer.from(JSON.stringify(native)),
  decode: (bytes) => JSON.parse(text.decode(bytes)),
};

/** JSON has no bytes: they are text in base64. Records are JSON Lines. */
const large = {
  blob: {
    encode: (data) => codec.encode(data.toString('base64')),
    decode: (bytes) => Buffer.from(codec.decode(bytes), 'base64'),
  },
  writer: (sink) => (record) => sink.write(Buffer.from(`${JSON.stringify(record)}\n`)),
  *reader(chunks) {
    for (const line of cut(chunks, (bytes, from) => bytes.indexOf('\n', from) + 1)) {
      yield codec.decode(line);
    }
  },
};

await serveCodec({
  library: { name: 'V8 JSON', version: process.versions.v8 },
  format: 'json',
  open: () => codec,
  version: () => codec,
  large: () => large,
});
