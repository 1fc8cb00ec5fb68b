/** A worker of the codec suite: what the SDK's batches are of, and the answers beside them. */

import { read, reject, truncate } from './conformance.js';
import { evolve } from './evolution.js';
import { largeStep } from './large.js';
import { neutral } from './neutral.js';
import { loopOf, operationsOf } from './operations.js';
import { preflight } from './preflight.js';
import { repeatBatches } from './sdk.js';
import { pool } from './shapes.js';

/**
 * Be a worker of the suite, then end the process. Call it once, as the last thing.
 * @param {object} contender
 * @param {{ name: string, version: string }} contender.library
 * @param {string | ((spec: object) => string)} contender.format
 * @param {(shape: string, spec: object) => (
 *   import('./operations.js').Codec | import('./operations.js').Baseline)} contender.open
 * @param {(version: string, spec: object) => import('./operations.js').Codec} [contender.version]
 *   of the record of `evolution`, for who has that capability
 * @param {(spec: object) => import('./large.js').Large} [contender.large] likewise
 */
export async function serveCodec({ library, format, open, version, large }) {
  await repeatBatches(library, (worker) => {
    const { operations } = worker.spec;
    if ('backward' in operations) return evolving(worker, { format, version });
    if ('to_bytes' in operations) return ofLarge(worker, { format, open, large });
    return repeated(worker, { format, open });
  });
}

function ofLarge({ spec, answers }, { format: formatOf, open, large }) {
  const format = formatIn(spec, formatOf);
  const contender = { large: large(spec), telemetry: open('telemetry', spec) };
  const write = (answer) => answers.add(neutral(answer));
  const at = (step) => largeStep(step, contender, write);
  return { facts: { format, strings: 'utf-16', operations: [] }, at };
}

function formatIn(spec, formatOf) {
  return typeof formatOf === 'function' ? formatOf(spec) : formatOf;
}

function evolving({ spec, answers }, { format: formatOf, version }) {
  const format = formatIn(spec, formatOf);
  const write = (answer) => answers.add(neutral(answer));
  const at = (step) => ({
    loopOf: async () => undefined,
    answer: async () => evolve(step, (name) => version(name, spec), write),
  });
  return { facts: { format, strings: 'utf-16', operations: [] }, at };
}

function repeated({ spec, meter, answers }, { format: formatOf, open }) {
  const format = formatIn(spec, formatOf);
  const codecs = new Map(spec.batches.steps.map((step) => [step, open(step, spec)]));
  const operations = operationsOf([...codecs.values()][0]);
  const write = (answer) => answers.add(neutral(answer));

  function at(step) {
    const codec = codecs.get(step);
    const natives = pool(step);
    const examined = { step, codec, natives, format, write };
    return {
      loopOf: async (operation) => {
        if (!operations.includes(operation)) return undefined;
        return loopOf(step, operation, codec, natives);
      },
      answer: async () => {
        if (!('encode' in codec)) return;
        preflight(step, codec, natives, write);
        if ('read' in spec.operations) read(examined, spec.inputs ?? []);
        if ('truncate' in spec.operations) truncate(examined);
        if ('reject' in spec.operations) await reject(examined, meter);
      },
    };
  }

  return { facts: { format, strings: 'utf-16', operations }, at };
}
