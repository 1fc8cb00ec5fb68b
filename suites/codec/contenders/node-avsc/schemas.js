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
    points: listOf(record('TelemetryPoint', { time: 'long', value: 'double', quality: 'int' })),
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
