/** Types for contenders in TypeScript; the sources carry the same as JSDoc. */

export type Scalar = boolean | number | string;

export interface Spec {
  trial: string;
  suite: string;
  scenario: string;
  role: string;
  parameters: Record<string, Scalar>;
  /** Address to bind to, `HOST:PORT`. */
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

export interface Step {
  name: string;
  first: number;
  count: number;
  settle: number;
  users: number;
  lanes: number;
  parameters: Record<string, Scalar>;
}

export interface Turn {
  phase: 'preflight' | 'measure';
  tick: number;
  lane: number;
  step: Step;
}

export interface Outcome {
  status: number;
  size?: number;
  /** Said where the status is not ok. */
  error?: Error;
  /** Said of each item that failed. */
  items?: Error[];
  answer?(): object;
}

/** Work of the lanes of a client. */
export interface Work {
  capabilities?: string[];
  operation: string;
  open(): Promise<unknown>;
  begin(step: Step): void;
  prepare(turn: Turn): unknown;
  /** The timed part. */
  call(prepared: any): Promise<unknown>;
  judge(turn: Turn, result: any): Outcome;
  statusOf(why: unknown): number;
  /** Connects a user, where users have connections of their own. */
  join?(user: number): Promise<unknown>;
  inRounds(step: Step): boolean;
  close(): unknown;
}

export const Status: Readonly<{
  OK: 0;
  ERROR: 1;
  TIMEOUT: 2;
  DISCONNECTED: 3;
  REFUSED: 4;
  ITEM_ERROR: 5;
  WRONG_ANSWER: 6;
  UNSUPPORTED: 7;
}>;

export function networkStatus(why: unknown): number;
/** Error that tells of a result that is not what was asked for. */
export class WrongAnswer extends Error {}

export interface PacedOutcome {
  status: number;
  size?: number;
  /** Said of each item that failed. */
  items?: Error[];
  /** Said where the whole call failed. */
  error?: Error;
  answer?(): object;
}

/** Work of a client on ticks. */
export interface PacedWork {
  capabilities: string[];
  open(): Promise<unknown>;
  /** Actions that can be done at a tick, prepared; what is left out is not performed. */
  actions(turn: {
    phase: 'preflight' | 'measure';
    tick: number;
  }): Record<string, () => Promise<PacedOutcome>>;
  failed(why: any): { status: number; error: Error };
  close(): unknown;
}

export function drive(
  library: Library,
  make: (spec: Spec) => Work | PacedWork | Promise<Work | PacedWork>,
): Promise<void>;
