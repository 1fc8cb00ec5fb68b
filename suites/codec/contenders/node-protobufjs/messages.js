/**
 * Messages of the schema and native values.
 *
 * protobuf.js encodes a plain object that has the fields of the message, so a native value that
 * has them is its message already. What it decodes are messages of its own classes, with 64-bit
 * integers as `Long` of the package `long`.
 */

import { foldNative, foldNumbers, foldText, foldTexts, safeNumber } from 'wirelab-codec';

const { imul } = Math;
const asItIs = (native) => native;

const T1 = {
  type: 'T1',
  toMessage: asItIs,
  fromMessage: (m) => ({
    c: m.c,
    uc: m.uc,
    i16: m.i16,
    u16: m.u16,
    i32: m.i32,
    u32: m.u32,
    i64: safeNumber(m.i64),
    u64: safeNumber(m.u64),
    f: m.f,
    d: m.d,
  }),
  fold(m) {
    const small = m.c + imul(3, m.uc) + imul(5, m.i16) + imul(7, m.u16) + imul(9, m.i32);
    const large = imul(11, m.u32) + imul(13, low(m.i64)) + imul(15, low(m.u64));
    return (small + large + imul(17, m.f) + imul(19, m.d)) | 0;
  },
};

const T2 = {
  type: 'T2',
  toMessage: asItIs,
  fromMessage: (m) => ({
    s1: m.s1,
    s2: m.s2,
    s3: m.s3,
    s4: m.s4,
    s5: m.s5,
    s6: m.s6,
    s7: m.s7,
    s8: m.s8,
  }),
  fold: foldNative.T2,
};

const T3 = {
  type: 'T3',
  toMessage: (v) => ({ v }),
  fromMessage: ({ v }) => v,
  fold: ({ v }) => foldNative.T3(v),
};

const T4 = {
  type: 'T4',
  toMessage: (v) => ({ v }),
  fromMessage: ({ v }) => v,
  fold: ({ v }) => foldNative.T4(v),
};

const T5 = {
  type: 'T5',
  toMessage(native) {
    const m = {};
    for (const key in native) m[key] = { v: native[key] };
    return { m };
  },
  fromMessage({ m }) {
    const native = {};
    for (const key in m) native[key] = m[key].v;
    return native;
  },
  fold({ m }) {
    let sum = 0;
    for (const key in m) {
      sum = (sum + 101 + 3 * foldText(key) + imul(5, foldNumbers(m[key].v))) | 0;
    }
    return sum;
  },
};

const telemetry = {
  type: 'Telemetry',
  toMessage: asItIs,
  fromMessage: ({ points }) => ({
    points: points.map(({ time, value, quality }) => ({
      time: safeNumber(time),
      value,
      quality,
    })),
  }),
  fold({ points }) {
    let sum = imul(101, points.length);
    for (let i = 0; i < points.length; i += 1) {
      const { time, value, quality } = points[i];
      sum = (sum + imul(3, low(time)) + imul(5, value) + imul(7, quality)) | 0;
    }
    return sum;
  },
};

const chat = {
  type: 'Chat',
  toMessage: asItIs,
  fromMessage: (m) => ({
    id: m.id,
    sent: safeNumber(m.sent),
    board: m.board,
    author: { id: m.author.id, name: m.author.name, active: m.author.active },
    text: m.text,
    mentions: m.mentions,
    strokes: m.strokes.map(({ color, width, points }) => ({
      color,
      width,
      points: points.map(({ x, y }) => ({ x, y })),
    })),
  }),
  fold(m) {
    const { author, mentions, strokes } = m;
    let sum = 3 * foldText(m.id) + imul(5, low(m.sent)) + 7 * foldText(m.board);
    sum += imul(9, author.id) + 11 * foldText(author.name) + (author.active ? 13 : 0);
    sum += 15 * foldText(m.text) + 101 * (mentions.length + strokes.length) + foldTexts(mentions);
    for (let i = 0; i < strokes.length; i += 1) sum = (sum + foldStroke(strokes[i])) | 0;
    return sum | 0;
  },
};

function foldStroke({ color, width, points }) {
  let sum = 17 * foldText(color) + imul(19, width);
  for (let i = 0; i < points.length; i += 1) {
    sum = (sum + imul(21, points[i].x) + imul(23, points[i].y)) | 0;
  }
  return sum;
}

/** The low 32 bits; a field that is not in the bytes is 0 as a number. */
function low(integer) {
  return typeof integer === 'number' ? integer | 0 : integer.low;
}

/** By shape: the type of its message, and the ways there and back. */
export const messages = { T1, T2, T3, T4, T5, telemetry, chat };
