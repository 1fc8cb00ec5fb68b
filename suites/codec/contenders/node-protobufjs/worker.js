/** protobuf.js: codecs that it generates from the schema when it starts. */

import { join } from 'node:path';

import protobuf from 'protobufjs';
import { serveCodec } from 'wirelab-codec';
import { installedVersion } from 'wirelab-sdk';

import { largeOf } from './large.js';
import { messages } from './messages.js';
import { versionCodec } from './versions.js';

function schemaIn(file) {
  return protobuf.loadSync(join(process.env.CODEC_SUITE, 'schemas', file));
}

const schema = schemaIn('shapes.proto');

await serveCodec({
  library: installedVersion('protobufjs'),
  format: 'protobuf',
  open(shape) {
    const { type, ...conversion } = messages[shape];
    const message = schema.lookupType(`codec.${type}`);
    return {
      ...conversion,
      encode: (value) => message.encode(value).finish(),
      decode: (bytes) => message.decode(bytes),
    };
  },
  version: (name) => versionCodec(schemaIn('evolution.proto'), name),
  large: () => largeOf(schema.lookupType('codec.TelemetryPoint')),
});
