/** The worker of a contender: on ticks, or with lanes. */

import { drive } from 'wirelab-sdk';

import { NodeLists } from './node-lists.js';
import { Caller } from './caller.js';
import { ReadLanes } from './lanes.js';

/**
 * @typedef {import('./results.js').Results} Results
 *
 * @typedef {object} Session one session with the server, over a channel of its own
 * @property {() => Promise<Results>} read attribute Value of all nodes, with source timestamps
 * @property {(sequence: number) => () => Promise<Results>} writing prepares a write; what it gives
 *   sends it
 * @property {() => Promise<import('./changes.js').Reading[]>} poll reads what is watched as `read`
 *   reads others
 * @property {(intervalMs: number, kept: number, changes: import('./changes.js').Changes) =>
 *   Promise<unknown>} subscribe has the server tell of new values of what is watched, sampled as
 *   often as it publishes, with so many values of each that are kept for a client that is behind
 * @property {() => Promise<unknown>} close leaves the server
 *
 * @typedef {object} OpcUaLibrary a client library under test
 * @property {() => Promise<unknown>} prepare makes ready what opening a session needs
 * @property {() => Promise<Session>} open opens a session, which the library keeps up where it can
 * @property {(why: any) => { status: number, error: Error }} failed how a failure of the library
 *   is recorded, and said in its words
 */

/**
 * Be the worker of a contender. Call it once, as the last thing.
 * @param {{ name: string, version: string }} library
 * @param {(spec: any, nodeLists: NodeLists) => OpcUaLibrary | Promise<OpcUaLibrary>} make
 */
export function play(library, make) {
  return drive(library, async (/** @type {any} */ spec) => {
    const nodeLists = new NodeLists(spec);
    const made = await make(spec, nodeLists);
    const Part = spec.schedule.steps?.length ? ReadLanes : Caller;
    return new Part(spec, made, nodeLists);
  });
}
