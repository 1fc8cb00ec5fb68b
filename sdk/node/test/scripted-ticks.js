/** A client on ticks without a library: read and write of a tick end only together. */

import { drive, Status } from '../index.js';

class Scripted extends Error {
  name = 'Scripted';
}

await drive({ name: 'scripted', version: '1' }, (spec) => {
  let connected = false;
  return {
    capabilities: ['async'],
    open: async () => {
      connected = true;
    },
    close: async () => {
      if (spec.parameters.close === 'fails') throw new Scripted('not open any more');
    },
    failed: (error) => ({
      status: spec.parameters.denied ? Status.OK : Status.REFUSED,
      error,
    }),
    actions({ phase, tick }) {
      if (!connected) {
        return {
          connect: async () => {
            if (tick === 0) throw new Scripted('refused');
            if (tick === 1) return new Promise(() => {});
            connected = true;
            return { status: Status.ITEM_ERROR, items: [new Scripted('a'), new Scripted('b')] };
          },
        };
      }
      const answer = () => ({ tick });
      let meet;
      const met = new Promise((resolve) => {
        meet = resolve;
      });
      const alone = phase === 'preflight' || tick % 2 === 1;
      return {
        read: async () => {
          if (!alone) await met;
          return { status: Status.OK, size: tick, answer };
        },
        write: async () => {
          meet();
          return { status: Status.OK, answer };
        },
      };
    },
  };
});
