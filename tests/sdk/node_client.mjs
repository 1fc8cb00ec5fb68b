/** A client of one lane whose calls end at once; its fourth has an error. Named by WIRELAB_SDK: the SDK. */

const { drive } = await import(process.env.WIRELAB_SDK);

drive({ name: 'scripted', version: '1' }, () => ({
  operation: 'read',
  open: async () => {},
  close: () => {},
  begin: () => {},
  prepare: () => {},
  call: async () => {},
  judge: ({ tick }) =>
    tick === 3 ? { status: 1, error: new Error('as scripted') } : { status: 0, answer: () => ({}) },
  statusOf: () => 1,
  inRounds: () => false,
}));
