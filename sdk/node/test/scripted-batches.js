/** A worker of a microbenchmark without a library; one of its loops cannot be prepared. */

import { repeatBatches } from '../src/batch-worker.js';

const loops = {
  add: () => ({ run: (iterations) => iterations, inputs: 3 }),
  broken: () => {
    throw new RangeError('no inputs');
  },
};

await repeatBatches({ name: 'scripted', version: '1' }, ({ answers }) => ({
  facts: { operations: Object.keys(loops) },
  at: (step) => ({
    loopOf: async (operation) => loops[operation]?.(),
    answer: () => answers.add(JSON.stringify({ step })),
  }),
}));
