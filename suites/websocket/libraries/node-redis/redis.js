/** Connections to Redis that outlive it. */

import { Redis } from 'ioredis';
import { parameter } from 'wirelab-sdk';

/** @typedef {import('wirelab-sdk').Spec} Spec */

/**
 * A connection that can subscribe. After it was lost ioredis connects and subscribes again;
 * meanwhile commands wait, and after the library's 20 attempts they fail.
 * @param {Spec} spec
 */
export function connectSubscriber(spec) {
  return connect(spec, {});
}

/**
 * A connection that publishes, which fails at once while Redis is away. Strokes that waited would
 * come seconds late, and only to the processes that had subscribed again by then.
 * @param {Spec} spec
 */
export function connectPublisher(spec) {
  return connect(spec, { enableOfflineQueue: false, autoResendUnfulfilledCommands: false });
}

/**
 * @returns {Promise<Redis>} that is connected
 * @throws when Redis cannot be reached at all: without it this is no server
 */
async function connect(spec, options) {
  const url = spec.endpoints.redis;
  // Without an address ioredis would take whatever runs on Redis's usual port.
  if (!url) throw new Error('the spec has no endpoint of the role redis');
  const backOff = backOffOf(spec);
  let wasUp = false;
  let reason;
  const retryStrategy = (attempt) => (wasUp ? backOff(attempt) : null);
  const redis = new Redis(url, { ...options, lazyConnect: true, retryStrategy });
  redis.on('error', (error) => {
    reason = error;
    console.error(`redis: ${error.message}`);
  });
  try {
    await redis.connect();
  } catch (error) {
    throw new Error(`no connection to ${url}: ${(reason ?? error).message}`);
  }
  wasUp = true;
  return redis;
}

/** Milliseconds until an attempt, which double up to a bound. */
function backOffOf(spec) {
  const first = parameter(spec, 'redis_first_retry_ms', 50);
  const longest = parameter(spec, 'redis_longest_retry_ms', 500);
  return (attempt) => Math.min(first * 2 ** (attempt - 1), longest);
}
