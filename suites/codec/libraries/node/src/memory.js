/** Resident memory that a call takes, as the kernel tells it. */

import { readFileSync, writeFileSync } from 'node:fs';

/** Written to `clear_refs`, it makes what is resident now the peak. */
const FORGET_PEAK = '5';
const KILOBYTE = 1024;

/**
 * Make a call; nothing is told where the kernel cannot.
 * @param {() => unknown} call
 * @returns {{ before_bytes?: number, peak_bytes?: number }} before it, and at its peak
 */
export function usedBy(call) {
  // What is free would be given to the call for nothing.
  globalThis.gc?.();
  if (!forgetsPeak()) {
    call();
    return {};
  }
  const before_bytes = resident('VmRSS');
  call();
  return { before_bytes, peak_bytes: resident('VmHWM') };
}

function forgetsPeak() {
  try {
    writeFileSync('/proc/self/clear_refs', FORGET_PEAK);
    return true;
  } catch {
    return false;
  }
}

/** A line of this process's status, in bytes. */
function resident(name) {
  const status = readFileSync('/proc/self/status', 'utf8');
  return KILOBYTE * Number(new RegExp(`^${name}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1]);
}
