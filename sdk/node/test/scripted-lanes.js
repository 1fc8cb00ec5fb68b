/** A client with lanes without a library: user 1 cannot connect, and has nothing to call. */

import { drive, Status } from '../index.js';

class Scripted extends Error {
  name = 'Scripted';
}

await drive({ name: 'scripted', version: '1' }, () => {
  const connected = new Set();
  return {
    operation: 'read',
    open: async () => {},
    close: () => {},
    begin: () => {},
    join: async (user) => {
      if (user === 1) throw new Scripted('refused');
      connected.add(user);
    },
    prepare: ({ lane }) => lane,
    call: async (lane) => {
      if (!connected.has(lane)) throw new Scripted('not connected');
    },
    judge: ({ tick }) => ({
      status: tick === 2 ? Status.ITEM_ERROR : Status.OK,
      items: tick === 2 ? [new Scripted('item')] : [],
      answer: () => ({}),
    }),
    statusOf: () => Status.REFUSED,
    inRounds: () => false,
  };
});
