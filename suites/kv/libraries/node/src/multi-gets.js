/** The multi-gets that clients ask for; `README.md` of the suite defines them. */

/** Different multi-gets of a step. */
export const MULTI_GETS = 64;

const U64 = 0xffff_ffff_ffff_ffffn;

/**
 * The finaliser of splitmix64, which everything random follows from.
 * @param {bigint} x
 */
export function mix(x) {
  let z = (x + 0x9e37_79b9_7f4a_7c15n) & U64;
  z = ((z ^ (z >> 30n)) * 0xbf58_476d_1ce4_e5b9n) & U64;
  z = ((z ^ (z >> 27n)) * 0x94d0_49bb_1331_11ebn) & U64;
  return z ^ (z >> 31n);
}

/**
 * Number of the multi-get that a lane asks for at a tick.
 * @param {number} tick
 * @param {number} lane
 */
export function multiGetOf(tick, lane) {
  return Number(mix((BigInt(tick) << 16n) | BigInt(lane)) % BigInt(MULTI_GETS));
}

/**
 * @typedef {object} Draw what every multi-get of a step has in common
 * @property {number} set
 * @property {number} keys of a multi-get
 * @property {number} universe keys of a set
 * @property {boolean} repeated whether all keys of a multi-get are its first one
 */

/**
 * The keys of a multi-get, in order, such as `k17`; some of them repeat.
 * @param {number} seed
 * @param {Draw} draw
 * @param {number} multiGet from 0
 * @returns {string[]}
 */
export function keysOf(seed, { set, keys, universe, repeated }, multiGet) {
  const step = (BigInt(set) << 48n) | (BigInt(keys) << 32n) | BigInt(multiGet);
  const base = mix(mix(BigInt(seed)) ^ step);
  const drawn = (_, i) => `k${mix(base + BigInt(repeated ? 0 : i)) % BigInt(universe)}`;
  return Array.from({ length: keys }, drawn);
}
