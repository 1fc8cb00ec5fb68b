/** Protobuf-ES: messages by `create`, bytes by `toBinary` and `fromBinary`. */

import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { serveCodec } from 'wirelab-codec';
import { installedVersion } from 'wirelab-sdk';

import { large } from './large.js';
import { messages } from './messages.js';
import { versionCodec } from './versions.js';

await serveCodec({
  library: installedVersion('@bufbuild/protobuf'),
  format: 'protobuf',
  open(shape) {
    const { schema, ...conversion } = messages[shape];
    return {
      ...conversion,
      encode: (message) => toBinary(schema, message),
      decode: (bytes) => fromBinary(schema, bytes),
    };
  },
  version: versionCodec,
  large: () => large,
});
