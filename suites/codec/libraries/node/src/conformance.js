/** Reading what others wrote, what is cut short, and what nobody should have written. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { timed } from './answers.js';
import { encodedFrom, valueOf } from './preflight.js';
import { suiteFolder } from './shapes.js';

const MOST_LENGTHS = 2048;

/**
 * @typedef {object} Examined
 * @property {string} step
 * @property {import('./operations.js').Codec} codec
 * @property {object[]} natives
 * @property {string} format
 * @property {(answer: object) => void} write
 */

/**
 * Decode what contenders of the same format have encoded.
 * @param {Examined} examined
 * @param {{ contender: string, facts: { format: string }, answers: string }[]} inputs
 */
export function read({ step, codec, natives, format, write }, inputs) {
  for (const { contender, facts, answers } of inputs) {
    if (facts.format !== format) continue;
    for (const { tick, hex } of encodings(answers, step, natives.length)) {
      const { times, result, failed } = timed(() => codec.decode(Buffer.from(hex, 'hex')));
      const answer = failed ?? valueOf(codec, result);
      const names = { operation: 'read', step, tick, from: contender };
      write({ phase: 'measure', ...names, ...times, ...answer });
    }
  }
}

function encodings(file, step, instances) {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"encode"'))
    .map((line) => JSON.parse(line))
    .filter((one) => one.operation === 'encode' && one.step === step && one.tick < instances)
    .filter((one) => one.phase === 'preflight' && one.answer)
    .map(({ tick, answer }) => ({ tick, hex: answer.hex }));
}

/**
 * Decode the encoding of the first instance cut after each of its bytes, and before the first.
 * @param {Examined} examined
 */
export function truncate({ step, codec, natives, write }) {
  const { times, result, failed } = timed(() => {
    const whole = encodedFrom(codec, natives[0]);
    const accepted = [];
    for (let length = 0; length < Math.min(whole.length, MOST_LENGTHS); length += 1) {
      if (isAccepted(codec, whole.subarray(0, length))) accepted.push(length);
    }
    return { length: whole.length, accepted };
  });
  const answer = failed ?? { answer: result };
  write({ phase: 'measure', operation: 'truncate', step, tick: 0, ...times, ...answer });
}

/** In memory of its own, so that nothing can be read beyond its end. */
function isAccepted(codec, bytes) {
  const cut = Buffer.alloc(bytes.length);
  cut.set(bytes);
  return !timed(() => codec.decode(cut)).failed;
}

/**
 * Decode the bad inputs of a step.
 * @param {Examined} examined
 * @param {import('../../wirelab-sdk/src/allocations.js').AllocationMeter} meter
 */
export async function reject({ step, codec, format, write }, meter) {
  const file = join(suiteFolder(), 'vectors', 'negative.json');
  const vectors = JSON.parse(readFileSync(file, 'utf8'));
  for (const [tick, vector] of vectors.entries()) {
    if (vector.format !== format || vector.step !== step) continue;
    const bytes = Buffer.from(vector.hex, 'hex');
    const { result: called, bytes: allocated } = await meter.over(() =>
      timed(() => codec.decode(bytes)),
    );
    const answer = called.failed ?? valueOf(codec, called.result);
    const names = { operation: 'reject', step, tick, vector: vector.name };
    const counted = { allocated_bytes: allocated };
    write({ phase: 'measure', ...names, ...called.times, ...answer, ...counted });
  }
}
