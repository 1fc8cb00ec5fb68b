/** The suite's protocol `json`, in the terms of Nest: an event, and data for its handler. */

/** Message of a client: the keys a server needs, and the text to pass on as it came. */
export interface Said {
  board: string;
  user: number;
  text: string;
}

/**
 * The adapter's message parser: from a frame to the gateway's handler. Nothing comes back for what
 * is no message of this protocol; that the adapter passes over.
 */
export function messageOf(frame: unknown): { event: string; data: Said } | void {
  // Text frames come as strings, others as bytes.
  if (typeof frame !== 'string') return;
  try {
    const message = JSON.parse(frame);
    if (typeof message?.board !== 'string' || !Number.isInteger(message.user)) return;
    return { event: message.type, data: { board: message.board, user: message.user, text: frame } };
  } catch {
    return;
  }
}
