/** The answers that show whether a codec is right, before anything is timed. */

import { timed } from './answers.js';

const OVERWRITTEN = 0xaa;

/**
 * Encode every instance twice, the second time in reverse, then decode the first encodings.
 *
 * These are overwritten before anything of the decoded values is written: a view into them would
 * show. They are the very bytes that the codec gave, so a buffer that it fills again shows as well.
 * @param {string} step
 * @param {import('./operations.js').Codec} codec
 * @param {object[]} natives
 * @param {(answer: object) => void} write
 */
export function preflight(step, codec, natives, write) {
  const last = 2 * natives.length - 1;
  const asked = [...natives, ...natives.toReversed()];
  const encoded = asked.map((native, tick) => {
    const { times, result, failed } = timed(() => encodedFrom(codec, native));
    const answer = failed ?? { answer: { hex: hexOf(result) } };
    write({ phase: 'preflight', operation: 'encode', step, tick, ...times, ...answer });
    return tick * 2 < last ? result : undefined;
  });
  const bytes = encoded.slice(0, natives.length);
  const decoded = bytes.map((encoding) => timed(() => codec.decode(encoding)));
  for (const encoding of bytes) encoding?.fill(OVERWRITTEN);
  decoded.forEach(({ times, result, failed }, tick) => {
    const answer = failed ?? valueOf(codec, result);
    write({ phase: 'preflight', operation: 'decode', step, tick, ...times, ...answer });
  });
}

/**
 * @param {import('./operations.js').Codec} codec
 * @param {object} native
 */
export function encodedFrom({ toMessage, encode }, native) {
  return encode(toMessage ? toMessage(native) : native);
}

/**
 * The native value of what was decoded, as an answer; or why there is none.
 * @param {import('./operations.js').Codec} codec
 * @param {any} decoded
 */
export function valueOf({ fromMessage }, decoded) {
  const { result, failed } = timed(() => (fromMessage ? fromMessage(decoded) : decoded));
  return failed ?? { answer: { value: result } };
}

/** @param {Uint8Array} bytes */
function hexOf(bytes) {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');
}
