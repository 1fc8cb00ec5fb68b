/**
 * Checksums of values: every field goes in, modulo 2^32.
 *
 * `x | 0` and `Math.imul` take the low 32 bits of any integer that a number holds exactly, and
 * truncate a fraction towards zero first, which is the suite's rule. The fields are added as
 * 32-bit integers; a few of them fit into a number together, so `| 0` is due once a line or loop.
 */

const { imul } = Math;

/**
 * Fold of a string in UTF-16 units.
 * @param {string} text
 */
export function foldText(text) {
  const { length } = text;
  if (length === 0) return 0;
  return length + 31 * text.charCodeAt(0) + 17 * text.charCodeAt(length - 1);
}

/** @param {Uint8Array} bytes */
export function foldBytes(bytes) {
  const { length } = bytes;
  if (length === 0) return 0;
  return 7 * length + bytes[0] + 3 * bytes[length >>> 1] + 5 * bytes[length - 1];
}

/** @param {import('./shapes.js').T1} v */
function foldT1(v) {
  const small = (v.c | 0) + imul(3, v.uc) + imul(5, v.i16) + imul(7, v.u16);
  const large = imul(9, v.i32) + imul(11, v.u32) + imul(13, v.i64) + imul(15, v.u64);
  return (small + large + imul(17, v.f) + imul(19, v.d)) | 0;
}

/** @param {import('./shapes.js').T2} v */
function foldT2(v) {
  const first = foldText(v.s1) + 3 * foldText(v.s2) + 5 * foldText(v.s3) + 7 * foldText(v.s4);
  const last = 9 * foldText(v.s5) + 11 * foldText(v.s6) + 13 * foldText(v.s7) + 15 * foldText(v.s8);
  return (first + last) | 0;
}

/**
 * Numbers by their places, without how many they are.
 * @param {ArrayLike<number>} numbers
 */
export function foldNumbers(numbers) {
  let sum = 0;
  for (let i = 0; i < numbers.length; i += 1) sum = (sum + imul(2 * i + 1, numbers[i])) | 0;
  return sum;
}

/**
 * Strings by their places, without how many they are.
 * @param {string[]} texts
 */
export function foldTexts(texts) {
  let sum = 0;
  for (let i = 0; i < texts.length; i += 1) {
    sum = (sum + imul(2 * i + 1, foldText(texts[i]))) | 0;
  }
  return sum;
}

/** @param {import('./shapes.js').T3} v */
function foldT3(v) {
  return (101 * v.length + foldNumbers(v)) | 0;
}

/** @param {import('./shapes.js').T4} v */
function foldT4(v) {
  return (101 * v.length + foldTexts(v)) | 0;
}

/** @param {import('./shapes.js').T5} v */
function foldT5(v) {
  let sum = 0;
  for (const key in v) {
    sum = (sum + 101 + 3 * foldText(key) + imul(5, foldNumbers(v[key]))) | 0;
  }
  return sum;
}

/** @param {import('./shapes.js').Telemetry} v */
function foldTelemetry({ points }) {
  let sum = imul(101, points.length);
  for (let i = 0; i < points.length; i += 1) {
    const point = points[i];
    sum = (sum + imul(3, point.time) + imul(5, point.value) + imul(7, point.quality)) | 0;
  }
  return sum;
}

/** @param {import('./shapes.js').Chat} v */
function foldChat(v) {
  const { author, mentions, strokes } = v;
  let sum = 3 * foldText(v.id) + imul(5, v.sent) + 7 * foldText(v.board) + imul(9, author.id);
  sum += 11 * foldText(author.name) + (author.active ? 13 : 0) + 15 * foldText(v.text);
  sum += 101 * (mentions.length + strokes.length) + foldTexts(mentions);
  for (let i = 0; i < strokes.length; i += 1) sum = (sum + foldStroke(strokes[i])) | 0;
  return sum | 0;
}

/** @param {import('./shapes.js').Stroke} stroke */
function foldStroke({ color, width, points }) {
  let sum = 17 * foldText(color) + imul(19, width);
  for (let i = 0; i < points.length; i += 1) {
    sum = (sum + imul(21, points[i].x) + imul(23, points[i].y)) | 0;
  }
  return sum;
}

/**
 * The fold of a native value, by shape. Messages of a library whose fields read the same way may
 * be folded by it too.
 * @type {Record<string, (value: any) => number>}
 */
export const foldNative = {
  T1: foldT1,
  T2: foldT2,
  T3: foldT3,
  T4: foldT4,
  T5: foldT5,
  telemetry: foldTelemetry,
  chat: foldChat,
};
