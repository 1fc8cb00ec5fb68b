/** Values and encodings that swap what they hold, while each stays the object that it is. */

/**
 * Give each of two native values of a shape what the other one holds.
 * @param {any} one
 * @param {any} other
 */
export function swap(one, other) {
  if (Array.isArray(one)) {
    const held = one.slice();
    refill(one, other);
    refill(other, held);
    return;
  }
  for (const key of Object.keys(one)) {
    if (key in other) [one[key], other[key]] = [other[key], one[key]];
  }
}

/**
 * The same for encodings. Those of one length are patched; others change their places.
 * @param {Uint8Array[]} encodings
 * @param {Uint8Array[]} others
 */
export function swapBytes(encodings, others) {
  encodings.forEach((one, place) => {
    const other = others[place];
    if (one.length === other.length) {
      const held = Uint8Array.from(one);
      one.set(other);
      other.set(held);
    } else {
      encodings[place] = other;
      others[place] = one;
    }
  });
}

function refill(list, content) {
  list.length = 0;
  list.push(...content);
}
