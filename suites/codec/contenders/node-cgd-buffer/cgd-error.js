/** A message is none of the CGD buffer format, or a value has no place in it. */
export class CgdError extends Error {
  name = 'CgdError';
}
