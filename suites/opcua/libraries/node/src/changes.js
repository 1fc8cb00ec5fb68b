/** The values of all tags after each change. */

/**
 * @typedef {object} Reading a value of a tag
 * @property {unknown} value null where there is none
 * @property {{ name: string, text: string }} [bad] what is wrong with it, if anything is
 */

/** Change number n is whole when every tag has come n times more than at first. */
export class Changes {
  #latest;
  #came;
  #number = 0;
  #missing;
  /** @type {Map<number, Reading[]>} */
  #whole = new Map();
  /** @type {Map<number, { resolve: (readings: Reading[]) => void, reject: (why: Error) => void }>} */
  #awaited = new Map();

  /** @param {number} tags */
  constructor(tags) {
    this.#latest = new Array(tags);
    this.#came = new Array(tags).fill(0);
    this.#missing = tags;
  }

  /**
   * The values after a change, once they have all come; asked for once.
   * @param {number} number
   * @returns {Promise<Reading[]>}
   */
  number(number) {
    const readings = this.#whole.get(number);
    this.#whole.delete(number);
    if (readings !== undefined) return Promise.resolve(readings);
    return new Promise((resolve, reject) => this.#awaited.set(number, { resolve, reject }));
  }

  /**
   * Take the next value of a tag.
   * @param {number} tag
   * @param {Reading} reading
   */
  put(tag, reading) {
    this.#latest[tag] = reading;
    this.#came[tag] += 1;
    if (this.#came[tag] === this.#number + 1) this.#missing -= 1;
    while (this.#missing === 0) this.#handOver();
  }

  /**
   * Take the next values of all tags.
   * @param {Reading[]} readings
   */
  putAll(readings) {
    readings.forEach((reading, tag) => this.put(tag, reading));
  }

  /**
   * Tell whoever waits that nothing comes.
   * @param {Error} why
   */
  fail(why) {
    for (const { reject } of this.#awaited.values()) reject(why);
    this.#awaited.clear();
  }

  #handOver() {
    const readings = [...this.#latest];
    const waiting = this.#awaited.get(this.#number);
    this.#awaited.delete(this.#number);
    if (waiting === undefined) this.#whole.set(this.#number, readings);
    else waiting.resolve(readings);
    this.#number += 1;
    this.#missing = this.#came.filter((came) => came <= this.#number).length;
  }
}
