/** Results of a request whose items were all looked at. */

import { Status, WrongAnswer } from 'wirelab-sdk';

/**
 * @typedef {object} BadItem an item that is not good
 * @property {number} position
 * @property {string} name the standard's name of its status
 * @property {string} text what that means
 *
 * @typedef {object} Results of a request, in the order of its items
 * @property {number} count
 * @property {BadItem[]} bad
 * @property {(position: number) => unknown} [value] what was read, null where there is none
 */

class StatusCode extends Error {
  name = 'StatusCode';
}

/**
 * @param {import('./node-lists.js').NodeLists} nodeLists
 * @param {Results} results
 */
export function outcomeOfRead(nodeLists, results) {
  return outcomeOf(nodeLists.reads, results, () => {
    const values = Array.from({ length: results.count }, (_, position) => results.value(position));
    if (nodeLists.own) return { valued: values.filter((value) => value !== null).length };
    for (const { position } of results.bad) values[position] = null;
    return { values };
  });
}

/**
 * @param {import('./node-lists.js').NodeLists} nodeLists
 * @param {import('./changes.js').Reading[]} readings
 */
export function outcomeOfChange(nodeLists, readings) {
  const bad = readings.flatMap(({ bad: of }, position) => (of ? [{ position, ...of }] : []));
  return outcomeOf(nodeLists.watched, { count: readings.length, bad }, () => {
    return { values: readings.map(({ value, bad: of }) => (of ? null : value)) };
  });
}

/**
 * @param {import('./node-lists.js').NodeLists} nodeLists
 * @param {Results} results
 * @param {number} sequence
 */
export function outcomeOfWrite(nodeLists, results, sequence) {
  return outcomeOf(nodeLists.writes, results, () => ({ sequence }));
}

function outcomeOf(nodes, { count, bad }, answer) {
  if (count !== nodes.length) {
    const error = new WrongAnswer(`asked for ${nodes.length} items, got ${count}`);
    return { status: Status.WRONG_ANSWER, error };
  }
  return {
    status: bad.length > 0 ? Status.ITEM_ERROR : Status.OK,
    items: bad.map(({ position, name, text }) => {
      const error = new StatusCode(`item ${position}, ${nodes[position]}: ${text}`);
      return Object.assign(error, { code: name });
    }),
    answer: () => ({ ...answer(), bad: bad.map(({ position, name }) => [position, name]) }),
  };
}
