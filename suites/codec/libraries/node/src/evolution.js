/** Data of one version of the record read by code of another: the scenario `evolution`. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { timed } from './answers.js';
import { encodedFrom, valueOf } from './preflight.js';
import { suiteFolder } from './shapes.js';

/**
 * New code reads old data, old code reads new data, and old code hands new data on to new code.
 *
 * A decoder is also given the codec of the writer: formats exist that read with its schema.
 * @param {string} change
 * @param {(version: string) => import('./operations.js').Codec} version
 * @param {(answer: object) => void} write
 */
export function evolve(change, version, write) {
  const file = join(suiteFolder(), 'vectors', 'evolution.json');
  const values = JSON.parse(readFileSync(file, 'utf8'))[change];
  const former = version('base');
  const later = version(change);

  function say(operation, tick, reader, read) {
    const { times, result, failed } = timed(read);
    const answer = failed ?? valueOf(reader, result);
    write({ phase: 'measure', operation, step: change, tick, ...times, ...answer });
  }

  values.old.forEach((value, tick) => {
    say('backward', tick, later, () => later.decode(encodedFrom(former, value), former));
  });
  values.new.forEach((value, tick) => {
    say('forward', tick, former, () => former.decode(encodedFrom(later, value), later));
    say('rewrite', tick, later, () => {
      const between = former.decode(encodedFrom(later, value), later);
      return later.decode(former.encode(between), former);
    });
  });
}
