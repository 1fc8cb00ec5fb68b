/**
 * Integers that may not fit into 32 bits, as BigInt.
 *
 * cbor-x and msgpackr write a number beyond 32 bits as a float of 64 bits. A reader in a typed
 * language wants an integer where its field is one, and gets it from a BigInt.
 */

/** By shape, a copy with its integers of 64 bits as BigInt; shapes without any are as they are. */
export const withIntegers = {
  T1: ({ c, uc, i16, u16, i32, u32, i64, u64, f, d }) => ({
    c,
    uc,
    i16,
    u16,
    i32,
    u32,
    i64: BigInt(i64),
    u64: BigInt(u64),
    f,
    d,
  }),
  telemetry: ({ points }) => ({
    points: points.map(({ time, value, quality }) => ({ time: BigInt(time), value, quality })),
  }),
  /** A point of `telemetry`. */
  point: ({ time, value, quality }) => ({ time: BigInt(time), value, quality }),
  chat: (message) => ({ ...message, sent: BigInt(message.sent) }),
};
