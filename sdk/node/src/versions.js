/** Versions of the packages that a worker really runs with. */

import { readFileSync } from 'node:fs';

/**
 * The version of a package installed beside this SDK, which is one of its neighbours in
 * `node_modules`. Read there, because not every package exports its `package.json`.
 * @param {string} name
 * @returns {{ name: string, version: string }} as `ready` says it
 */
export function installedVersion(name, neighbours = new URL('../../', import.meta.url)) {
  const file = new URL(`${name}/package.json`, neighbours);
  return { name, version: JSON.parse(readFileSync(file, 'utf8')).version };
}
