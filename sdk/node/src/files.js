/** The files of a worker that records nothing: they exist, and say so. */

import { writeFileSync } from 'node:fs';

/** Bytes of a record of the sample file, and of its header. */
export const RECORD_BYTES = 32;

/** `WLSAMPLE`, version 1, records of 32 bytes, clock 1 (CLOCK_MONOTONIC), 16 bytes of zero. */
export function sampleHeader() {
  const header = Buffer.alloc(RECORD_BYTES);
  header.write('WLSAMPLE', 'latin1');
  header.writeUInt16LE(1, 8);
  header.writeUInt16LE(RECORD_BYTES, 10);
  header.writeUInt32LE(1, 12);
  return header;
}

/** Figures of these files in `done`. */
export const NOTHING_RECORDED = { records: 0, answers: 0, checksum: '00000000' };

/** @param {import('./spec.js').Spec['paths']} paths */
export function createFiles(paths) {
  writeFileSync(paths.samples, sampleHeader());
  writeFileSync(paths.answers, '');
}
