/** The record of `evolution`: fields that follow each other, an enumeration as an int32. */

const levels = ['none', 'low', 'high', 'critical'];

const int32 = {
  append: (writer, number) => writer.appendInt32(number),
  extract: (reader) => reader.extractInt32(),
};
const int64 = {
  append: (writer, number) => writer.appendInt64(number),
  extract: (reader) => reader.extractInt64(),
};
const string = {
  append: (writer, text) => writer.appendString(text),
  extract: (reader) => reader.extractString(),
};
const nullable = {
  append: (writer, text) => writer.appendNullableString(text),
  extract: (reader) => reader.extractNullableString(),
};
const base = { sensor: int32, name: string, note: nullable, count: int32, level: int32 };

const fields = {
  base,
  added: { ...base, unit: nullable },
  removed: { sensor: int32, name: string, count: int32, level: int32 },
  reordered: { count: int32, name: string, note: nullable, sensor: int32, level: int32 },
  renamed: { sensor: int32, title: string, note: nullable, count: int32, level: int32 },
  widened: { ...base, count: int64 },
  retyped: { ...base, count: string },
  enumeration: base,
  required: { ...base, zone: string },
};

/** By version: `append` to a writer, `extract` from a reader. */
export const versions = Object.fromEntries(
  Object.entries(fields).map(([version, its]) => [version, record(Object.entries(its))]),
);

function record(kinds) {
  return {
    append(writer, value) {
      for (const [name, kind] of kinds) kind.append(writer, value[name]);
    },
    extract: (reader) =>
      Object.fromEntries(kinds.map(([name, kind]) => [name, kind.extract(reader)])),
  };
}

/**
 * A value with the number of its level.
 * @param {{ level: string }} value
 */
export function numbered(value) {
  return { ...value, level: levels.indexOf(value.level) };
}
