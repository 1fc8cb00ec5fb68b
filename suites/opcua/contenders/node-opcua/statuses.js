/** Statuses of the library as the suite has them: of items, and of calls that failed. */

import { networkStatus, Status } from 'wirelab-sdk';

const TIMEOUTS = new Set(['BadTimeout', 'BadRequestTimeout']);
const GONE = new Set([
  'BadConnectionClosed',
  'BadSecureChannelClosed',
  'BadSecureChannelIdInvalid',
  'BadServerNotConnected',
  'BadNotConnected',
  'BadSessionClosed',
  'BadSessionIdInvalid',
  'BadSessionNotActivated',
  'BadShutdown',
]);

/** A failure, as the suite records it and in the library's words. */
export function failed(why) {
  const name = statusOf(why);
  let status = networkStatus(why);
  if (TIMEOUTS.has(name)) status = Status.TIMEOUT;
  else if (GONE.has(name)) status = Status.DISCONNECTED;
  return { status, error: Object.assign(why, { code: name || why.code }) };
}

export function readingOf({ value, statusCode }) {
  const reading = { value: value?.value ?? null };
  if (statusCode.isGood()) return reading;
  return { ...reading, bad: { name: statusCode.name, text: statusCode.description } };
}

export function badOf(codes) {
  return codes.flatMap((code, position) =>
    code.isGood() ? [] : [{ position, name: code.name, text: code.description }],
  );
}

/** The standard's name of a status that a failure carries, or only tells in its message. */
function statusOf(why) {
  return (
    why.response?.responseHeader?.serviceResult?.name ?? /\bBad[A-Z]\w+/.exec(why.message)?.[0] ?? ''
  );
}
