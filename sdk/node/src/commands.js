/** Commands of the contract on standard input, one JSON object a line. */

import { createInterface } from 'node:readline';

/**
 * When the core says `stop`, or its end of the pipe is closed.
 *
 * A server has no ticks, so `start` needs no answer.
 * @param {import('node:stream').Readable} input
 * @param {(text: string) => void} complain told of lines that are no command
 * @returns {Promise<void>}
 */
export function untilStopped(input, complain = console.error) {
  return new Promise((resolve) => {
    const lines = createInterface({ input, terminal: false });
    lines.on('line', (line) => {
      const command = commandOf(line);
      if (command === 'stop') resolve();
      else if (command !== 'start') complain(`wirelab-sdk: not a command: ${line.slice(0, 200)}`);
    });
    lines.on('close', resolve);
    input.on('error', () => resolve());
  });
}

function commandOf(line) {
  try {
    return JSON.parse(line)?.command;
  } catch {
    return undefined;
  }
}
