/** The pools of the suite, as the values that a program in JavaScript would hold. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {{ c: number, uc: number, i16: number, u16: number, i32: number, u32: number,
 *   i64: number, u64: number, f: number, d: number }} T1
 * @typedef {{ s1: string, s2: string, s3: string, s4: string, s5: string, s6: string,
 *   s7: string, s8: string }} T2
 * @typedef {number[]} T3
 * @typedef {string[]} T4
 * @typedef {Record<string, number[]>} T5 a plain object: what every library here gives for a map
 *   whose keys are strings
 * @typedef {{ time: number, value: number, quality: number }} Point
 * @typedef {{ points: Point[] }} Telemetry
 * @typedef {{ x: number, y: number }} Position
 * @typedef {{ color: string, width: number, points: Position[] }} Stroke
 * @typedef {{ id: number, name: string, active: boolean }} Author
 * @typedef {{ id: string, sent: number, board: string, author: Author, text: string,
 *   mentions: string[], strokes: Stroke[] }} Chat
 * @typedef {T1 | T2 | T3 | T4 | T5 | Telemetry | Chat} Native
 */

/** The folder of the suite. */
export function suiteFolder() {
  const folder = process.env.CODEC_SUITE;
  if (!folder) throw new Error('CODEC_SUITE is not set: contender.toml gives it');
  return folder;
}

/**
 * The instances of a shape.
 * @param {string} shape
 * @returns {Native[]} new ones at each call, so that nobody can change another's
 */
export function pool(shape) {
  return JSON.parse(text(shape)).pool;
}

/**
 * The twin of each instance: the same but for one field.
 * @param {string} shape
 * @returns {Native[]} new ones at each call
 */
export function twins(shape) {
  return JSON.parse(text(`twins/${shape}`)).pool;
}

/**
 * Bytes of the UTF-8 JSON text of each instance. The file has an instance a line; written again
 * by JavaScript a float like `1.0` would be shorter.
 * @param {string} shape
 * @returns {number[]}
 */
export function textLengths(shape) {
  const lines = text(shape).trimEnd().split('\n').slice(1, -1);
  return lines.map((line) => Buffer.byteLength(line.replace(/,$/, '')));
}

function text(shape) {
  return readFileSync(join(suiteFolder(), 'shapes', `${shape}.json`), 'utf8');
}
