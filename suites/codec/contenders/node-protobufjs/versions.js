/** The record of `evolution`: messages of each version, read by their accessors. */

/**
 * The codec of a version.
 * @param {import('protobufjs').Root} schema
 * @param {string} name
 */
export function versionCodec(schema, name) {
  const type = schema.lookupType(`codec.evolution.${name[0].toUpperCase()}${name.slice(1)}`);
  const { level } = type.fields;
  const prefix = level.type === 'WiderLevel' ? 'WIDER_LEVEL' : 'LEVEL';
  level.resolve();
  return {
    toMessage: (value) => ({
      ...value,
      level: level.resolvedType.values[`${prefix}_${value.level.toUpperCase()}`],
    }),
    encode: (message) => type.encode(message).finish(),
    decode: (bytes) => type.decode(bytes),
    fromMessage: (message) =>
      Object.fromEntries(type.fieldsArray.map((field) => [field.name, plain(message[field.name])])),
  };
}

/** A `Long` as the number that it is. */
function plain(value) {
  return value?.toNumber ? value.toNumber() : value;
}
