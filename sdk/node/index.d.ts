/** Types for contenders in TypeScript; the sources carry the same as JSDoc. */

export type Scalar = boolean | number | string;

export interface Spec {
  trial: string;
  suite: string;
  scenario: string;
  role: string;
  parameters: Record<string, Scalar>;
  /** Where to bind, `HOST:PORT`. */
  listen: string;
  endpoints: Record<string, string>;
  paths: { samples: string; answers: string; scratch: string };
  /** In nanoseconds. */
  limits: { ready_ns: number; operation_ns: number; stop_ns: number };
}

export interface Server {
  /** The address that the server really got. */
  endpoint: string;
  facts?: Record<string, unknown>;
  close(): unknown;
}

export interface Library {
  name: string;
  version: string;
}

export class SpecError extends Error {}

export function serve(library: Library, open: (spec: Spec) => Promise<Server>): Promise<void>;
export function serveCluster(
  library: Library,
  open: (spec: Spec) => Promise<Server>,
): Promise<void>;
export function parameter<T extends Scalar>(spec: Spec, name: string, fallback: T): T;
export function listenAddress(spec: Spec): { host: string; port: number };
export function installedVersion(name: string): Library;
