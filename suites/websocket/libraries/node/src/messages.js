/** The suite's protocol `json`: what a client may say. */

/** @typedef {{ type: string, board: string, user: number }} Message `join` or `draw` */

/**
 * The message in a frame; undefined for what is none.
 * @param {Buffer} bytes
 * @param {boolean} [isBinary]
 * @returns {Message | undefined}
 */
export function messageOf(bytes, isBinary = false) {
  if (isBinary) return undefined;
  try {
    const message = JSON.parse(bytes);
    const addressed = typeof message?.board === 'string' && Number.isInteger(message.user);
    return addressed ? message : undefined;
  } catch {
    return undefined;
  }
}

/** Message that a joiner is told when it is on the board. */
export function joined({ board, user }) {
  return JSON.stringify({ type: 'joined', board, user });
}
