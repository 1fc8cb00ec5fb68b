/**
 * Messages of the schema and native values.
 *
 * A message is made by `create` from what it is to hold. Integers of 64 bits are BigInt.
 */

import { create } from '@bufbuild/protobuf';
import { foldNative, foldNumbers, foldText, foldTexts, safeNumber } from 'wirelab-codec';

import {
  ChatSchema,
  T1Schema,
  T2Schema,
  T3Schema,
  T4Schema,
  T5Schema,
  TelemetrySchema,
} from './shapes_pb.js';

const { imul } = Math;

const T1 = {
  schema: T1Schema,
  toMessage: (v) =>
    create(T1Schema, {
      c: v.c,
      uc: v.uc,
      i16: v.i16,
      u16: v.u16,
      i32: v.i32,
      u32: v.u32,
      i64: BigInt(v.i64),
      u64: BigInt(v.u64),
      f: v.f,
      d: v.d,
    }),
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
  schema: T2Schema,
  toMessage: (v) => create(T2Schema, v),
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
  schema: T3Schema,
  toMessage: (v) => create(T3Schema, { v }),
  fromMessage: ({ v }) => v,
  fold: ({ v }) => foldNative.T3(v),
};

const T4 = {
  schema: T4Schema,
  toMessage: (v) => create(T4Schema, { v }),
  fromMessage: ({ v }) => v,
  fold: ({ v }) => foldNative.T4(v),
};

const T5 = {
  schema: T5Schema,
  toMessage(native) {
    const m = {};
    for (const key in native) m[key] = { v: native[key] };
    return create(T5Schema, { m });
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
  schema: TelemetrySchema,
  toMessage: ({ points }) =>
    create(TelemetrySchema, {
      points: points.map(({ time, value, quality }) => ({ time: BigInt(time), value, quality })),
    }),
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
  schema: ChatSchema,
  toMessage: (v) => create(ChatSchema, { ...v, sent: BigInt(v.sent) }),
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

/** The low 32 bits. */
function low(integer) {
  return Number(BigInt.asIntN(32, integer));
}

/** By shape: the schema of its message, and the ways there and back. */
export const messages = { T1, T2, T3, T4, T5, telemetry, chat };
