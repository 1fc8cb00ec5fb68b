/** The shapes as Avro schemas. */

const numbers = { type: 'array', items: 'int' };
const texts = { type: 'array', items: 'string' };

function record(name, fields) {
  const named = Object.entries(fields).map(([field, type]) => ({ name: field, type }));
  return { type: 'record', name, fields: named };
}

function listOf(items) {
  return { type: 'array', items };
}

/** A record of the telemetry, and of a stream. */
export const point = record('TelemetryPoint', { time: 'long', value: 'double', quality: 'int' });

/** By shape. */
export const schemas = {
  T1: record('T1', {
    c: 'int',
    uc: 'int',
    i16: 'int',
    u16: 'int',
    i32: 'int',
    u32: 'long',
    i64: 'long',
    u64: 'long',
    f: 'float',
    d: 'double',
  }),
  T2: record('T2', {
    s1: 'string',
    s2: 'string',
    s3: 'string',
    s4: 'string',
    s5: 'string',
    s6: 'string',
    s7: 'string',
    s8: 'string',
  }),
  T3: numbers,
  T4: texts,
  T5: { type: 'map', values: numbers },
  telemetry: record('Telemetry', {
    points: listOf(point),
  }),
  chat: record('Chat', {
    id: 'string',
    sent: 'long',
    board: 'string',
    author: record('Author', { id: 'long', name: 'string', active: 'boolean' }),
    text: 'string',
    mentions: texts,
    strokes: listOf(
      record('Stroke', {
        color: 'string',
        width: 'double',
        points: listOf(record('Position', { x: 'int', y: 'int' })),
      }),
    ),
  }),
};

const levels = ['none', 'low', 'high'];

function reading(fields) {
  const named = Object.entries(fields).map(([name, type]) =>
    // A field can only be left out where the reader has a default for it.
    Array.isArray(type) ? { name, type, default: null } : { name, type },
  );
  return { type: 'record', name: 'Reading', fields: named };
}

const optional = ['null', 'string'];
const level = { type: 'enum', name: 'Level', symbols: levels };
const wider = { type: 'enum', name: 'Level', symbols: [...levels, 'critical'] };
const base = { sensor: 'int', name: 'string', note: optional, count: 'int', level };

/** The record of `evolution` by version. */
export const versions = {
  base: reading(base),
  added: reading({ ...base, unit: optional }),
  removed: reading({ sensor: 'int', name: 'string', count: 'int', level }),
  reordered: reading({ count: 'int', name: 'string', note: optional, sensor: 'int', level }),
  renamed: reading({ sensor: 'int', title: 'string', note: optional, count: 'int', level }),
  widened: reading({ ...base, count: 'long' }),
  retyped: reading({ ...base, count: 'string' }),
  enumeration: reading({ ...base, level: wider }),
  required: reading({ ...base, zone: 'string' }),
};
