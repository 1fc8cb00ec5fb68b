// Users of an HTTP server, as one writes them for k6: each asks, and asks again when it has the
// response. One run is one step.

import exec from 'k6/execution';
import http from 'k6/http';
import { Trend } from 'k6/metrics';
import { SharedArray } from 'k6/data';
import { sleep } from 'k6';

const plan = JSON.parse(open('./plan.json'));
// Of each lane, the numbers of its requests. k6 hands out a copy of one lane's alone.
const lanes = new SharedArray('numbers', () => JSON.parse(open('./numbers.json')));

const seen = new Trend('wirelab_response');
const AFTER_A_LOSS_S = 0.01;

export const options = {
  scenarios: {
    users: {
      executor: 'per-vu-iterations',
      vus: plan.lanes,
      iterations: plan.count,
      maxDuration: `${plan.most_ms}ms`,
      gracefulStop: '0s',
    },
  },
  systemTags: ['name', 'status', 'error', 'error_code'],
};

let numbers = null;

export default function () {
  const lane = exec.vu.idInTest - 1;
  const turn = exec.vu.iterationInScenario;
  numbers ??= lanes[lane];
  if (turn === plan.settle) {
    settled();
  }
  const tick = plan.first + turn;
  const metadata = exec.vu.metrics.metadata;
  metadata.tick = String(tick);
  metadata.lane = String(lane);
  const response = http.get(plan.urls[numbers[turn]], {
    redirects: 0,
    tags: { name: 'request' },
    timeout: plan.limit_ms,
  });
  metadata.timing = response.headers['Server-Timing'] ?? '';
  if (plan.verified[tick] === lane) {
    metadata.body = response.body ?? '';
  }
  seen.add(bytesOf(response));
  delete metadata.timing;
  delete metadata.body;
  if (response.status === 0) {
    // A server that is gone is not asked thousands of times a second.
    sleep(AFTER_A_LOSS_S);
  }
}

/** Waits until all users have settled: the worker answers them together. */
function settled() {
  const response = http.get(plan.barrier, { tags: { name: 'barrier' }, timeout: plan.most_ms });
  if (response.status !== 204) {
    exec.test.abort(`the barrier answered ${response.status} ${response.error}`);
  }
}

/** Length of a body; a text's own where the server does not say, which is that of ASCII. */
function bytesOf(response) {
  const said = response.headers['Content-Length'];
  return said === undefined ? (response.body ?? '').length : Number(said);
}
