/** Spec of this process: the JSON file that `WIRELAB_SPEC` names. */

import { readFileSync } from 'node:fs';

/** Version of the worker contract. */
const CONTRACT = 2;

/**
 * @typedef {boolean | number | string} Scalar
 * @typedef {{ ready_ns: number, operation_ns: number, stop_ns: number }} Limits
 * @typedef {object} Spec
 * @property {number} contract
 * @property {string} trial
 * @property {string} suite
 * @property {string} scenario
 * @property {string} role
 * @property {Record<string, Scalar>} parameters the scenario's, then the contender's `[tuning]`
 * @property {string} listen where to bind, `HOST:PORT`
 * @property {Record<string, string>} endpoints of the roles that are ready
 * @property {{ samples: string, answers: string, scratch: string }} paths
 * @property {Limits} limits in nanoseconds
 */

/** The spec is missing, is no JSON, or is not what the contract says. */
export class SpecError extends Error {
  name = 'SpecError';
}

const SHAPE = {
  trial: 'string',
  suite: 'string',
  scenario: 'string',
  role: 'string',
  parameters: 'object',
  listen: 'string',
  endpoints: 'object',
  paths: { samples: 'string', answers: 'string', scratch: 'string' },
  limits: { ready_ns: 'number', operation_ns: 'number', stop_ns: 'number' },
};
const DEFAULTS = { listen: '127.0.0.1:0', parameters: {}, endpoints: {} };

/**
 * The spec of this process.
 * @param {Record<string, string | undefined>} environment
 * @returns {Spec}
 * @throws {SpecError} naming the key that is wrong
 */
export function specOf(environment = process.env) {
  const path = environment.WIRELAB_SPEC;
  if (!path) throw new SpecError('WIRELAB_SPEC is not set: this program is started by wirelab');
  const document = read(path);
  if (document?.contract !== CONTRACT) {
    throw new SpecError(`${path} is no spec of worker contract ${CONTRACT}`);
  }
  const spec = { ...DEFAULTS, ...document };
  check(spec, SHAPE, '');
  return spec;
}

function read(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new SpecError(`cannot read the spec ${path}: ${error.message}`);
  }
}

function check(value, shape, prefix) {
  for (const [key, wanted] of Object.entries(shape)) {
    const found = value[key];
    const type = typeof wanted === 'string' ? wanted : 'object';
    if (typeof found !== type || found === null) {
      throw new SpecError(`${prefix}${key}: expected ${type}, found ${JSON.stringify(found)}`);
    }
    if (typeof wanted === 'object') check(found, wanted, `${prefix}${key}.`);
  }
}

/**
 * A parameter in the type of its default.
 * @template {Scalar} T
 * @param {Spec} spec
 * @param {string} name
 * @param {T} fallback
 * @returns {T}
 * @throws {SpecError} when it has another type
 */
export function parameter(spec, name, fallback) {
  const value = Object.hasOwn(spec.parameters, name) ? spec.parameters[name] : fallback;
  if (typeof value !== typeof fallback) {
    const found = JSON.stringify(value);
    throw new SpecError(`parameter ${name}: expected ${typeof fallback}, found ${found}`);
  }
  return /** @type {T} */ (value);
}

/**
 * Address to bind to, in the form that Node's servers take.
 * @param {Spec} spec
 * @returns {{ host: string, port: number }}
 */
export function listenAddress(spec) {
  const parts = /^(.+):(\d+)$/.exec(spec.listen);
  if (!parts) throw new SpecError(`listen: expected HOST:PORT, found ${spec.listen}`);
  return { host: parts[1], port: Number(parts[2]) };
}
