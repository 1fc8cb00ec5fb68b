/**
 * The parts of `HOST:PORT`, with or without a scheme before it.
 * @param {string} endpoint
 * @returns {{ host: string, port: number }}
 */
export function addressOf(endpoint) {
  const parts = /^(?:\w+:\/\/)?([^/]+):(\d+)\/?$/.exec(endpoint ?? '');
  if (!parts) throw new Error(`endpoint: expected HOST:PORT, found ${endpoint}`);
  return { host: parts[1], port: Number(parts[2]) };
}
