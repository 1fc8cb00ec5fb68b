// Users of the whiteboard, as one writes them for k6: each opens one WebSocket, joins its board,
// sends by setInterval, and looks at everything it receives.

import exec from 'k6/execution';
import http from 'k6/http';
import { Counter, Trend } from 'k6/metrics';
import { WebSocket } from 'k6/websockets';

import { joinMessage, preflight } from './preflight.js';

const plan = JSON.parse(open('./plan.json'));
const OPEN = 1;

// Durations are in ms. Joined, dropped and sent are stamps: ms after tick 0, which itself is cut
// to a whole ms as Date.now() is. What was received notes the second in which it was sent.
const connected = new Trend('wirelab_connected');
const joinedAt = new Trend('wirelab_joined');
const notConnected = new Trend('wirelab_not_connected');
const dropped = new Trend('wirelab_dropped');
const sent = new Trend('wirelab_sent');
const notSent = new Counter('wirelab_not_sent');
const roundTrip = new Trend('wirelab_rtt');
const givenUp = new Trend('wirelab_given_up');
const deliveries = new Counter('wirelab_received');
const deliveredBytes = new Counter('wirelab_bytes');
const duplicates = new Counter('wirelab_duplicates');
const reordered = new Counter('wirelab_reordered');
const wrong = new Counter('wirelab_wrong');
// Messages whose answers are verified, by their number: sent with the stamp, received as text.
const verifiedSent = new Trend('wirelab_verified_sent');
const verifiedCopy = new Trend('wirelab_verified_copy');

export const options = {
  scenarios: Object.fromEntries(plan.groups.map((group) => [`from-${group.from}`, scenario(group)])),
  setupTimeout: '1h',
  systemTags: ['scenario'],
};

function scenario(group) {
  return {
    executor: 'per-vu-iterations',
    exec: 'user',
    vus: group.users,
    iterations: 1,
    startTime: `${Math.floor(group.join_at_ms)}ms`,
    maxDuration: `${Math.ceil(plan.end_ms + plan.limit_ms + 60000)}ms`,
    gracefulStop: '0s',
    env: { GROUP: String(plan.groups.indexOf(group)) },
  };
}

/** Draws before the start, for the verifier; then waits until tick 0 is known. */
export async function setup() {
  try {
    const answers = await preflight(plan);
    http.post(`${plan.control}/preflight`, JSON.stringify(answers));
  } catch (error) {
    http.post(`${plan.control}/failed`, String(error));
    throw error;
  }
  const epoch = http.get(`${plan.control}/start`, { timeout: '1h' }).json('epoch_ms');
  return { epoch, whole: Math.floor(epoch) };
}

/** One user, from joining until the end of the trial. */
export function user(start) {
  const group = plan.groups[Number(__ENV.GROUP)];
  const place = exec.scenario.iterationInTest;
  const id = group.from + place;
  const board = boardOf(id);
  const verified = plan.verified[String(id)] || {};
  const head = `{"type":"draw","board":"${board}","user":${id},"seq":`;
  const tail = ',"color":"#1e90ff","width":3,"points":[[4,2],[8,6]],"pad":"';
  const ends = start.epoch + plan.end_ms;

  const pending = new Map(); // own messages under way: when they were sent, by number
  const latest = new Map(); // highest number of each sender
  // Deliveries and their bytes, by the second they were sent in: a point each would be 50,000 lines a
  // second in k6's file. The contract has counted by the second what happens too often for records.
  let received = new Map();
  let socket = null;
  let sending = null;
  let next = 0;
  let joined = -1;
  let leaving = false;
  let flushed = 0;

  exec.vu.metrics.metadata.user = String(id);
  at(start.epoch + group.join_at_ms + (place * group.join_ms) / group.users, connect);

  function connect() {
    const begun = Date.now();
    let told = false;
    const tell = (metric, tags) => {
      clearTimeout(late);
      if (!told) {
        metric.add(Date.now() - begun, tags);
      }
      told = true;
    };
    // Who is late is told so, and comes all the same.
    const late = setTimeout(() => tell(notConnected, { note: 'timeout' }), plan.limit_ms);
    at(ends + plan.limit_ms, leave);
    socket = new WebSocket(plan.endpoint);
    socket.onopen = () => (leaving ? socket.close() : socket.send(joinMessage(board, id)));
    socket.onerror = (event) => {
      if (joined < 0 && !leaving) {
        tell(notConnected, { note: String(event.error) });
      }
    };
    socket.onclose = () => {
      if (leaving) {
        return;
      }
      if (joined < 0) {
        tell(notConnected, { note: 'closed' });
      } else {
        dropped.add(Date.now() - start.whole);
      }
    };
    socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (message.type === 'draw') {
        arrived(message, event.data);
      } else if (message.type === 'joined' && joined < 0) {
        joined = Date.now() - start.whole;
        tell(connected);
        joinedAt.add(joined);
        at(start.epoch + group.send_at_ms + phaseOf(id), begin);
      }
    };
  }

  function begin() {
    send();
    sending = setInterval(send, plan.period_ms);
  }

  function send() {
    const now = Date.now();
    if (now >= ends) {
      clearInterval(sending);
      return;
    }
    if (socket.readyState !== OPEN) {
      notSent.add(1);
      return;
    }
    const seq = next++;
    const stamp = now - start.whole;
    const special = verified[seq];
    pending.set(seq, now);
    if (special === undefined) {
      sent.add(stamp);
      socket.send(draw(seq, stamp));
    } else {
      verifiedSent.add(seq, { note: String(stamp) });
      socket.send(special);
    }
    giveUp(now);
    if (now - flushed >= 1000) {
      flush(now);
    }
  }

  /**
   * A message of the asked length; what fills it says when it was sent. Those that are verified
   * are filled by the suite's rule, and counted from what their receivers tell of each.
   */
  function draw(seq, stamp) {
    const text = `${head}${seq}${tail}${stamp}`;
    return `${text}${'.'.repeat(Math.max(0, plan.message_bytes - text.length - 2))}"}`;
  }

  function arrived(message, text) {
    if (message.board !== board) {
      wrong.add(1);
      return;
    }
    const special = plan.verified[message.user]?.[message.seq];
    if (special !== undefined) {
      verifiedCopy.add(message.seq, { note: text });
    }
    if (message.user === id) {
      const since = pending.get(message.seq);
      if (since !== undefined) {
        pending.delete(message.seq);
        roundTrip.add(Date.now() - since);
      }
      return;
    }
    const stamp = parseInt(message.pad, 10);
    if (stamp < joined) {
      return; // sent before this user was there
    }
    const last = latest.get(message.user);
    if (message.seq === last) {
      duplicates.add(1);
      return;
    }
    if (message.seq < last) {
      reordered.add(1);
    } else {
      latest.set(message.user, message.seq);
    }
    if (special !== undefined) {
      return;
    }
    const second = Math.floor((start.whole + stamp - start.epoch) / 1000);
    const sums = received.get(second);
    if (sums === undefined) {
      received.set(second, { count: 1, bytes: text.length });
    } else {
      sums.count++;
      sums.bytes += text.length;
    }
  }

  function flush(now) {
    received.forEach((sums, second) => {
      deliveries.add(sums.count, { note: String(second) });
      deliveredBytes.add(sums.bytes, { note: String(second) });
    });
    received = new Map();
    flushed = now;
  }

  function giveUp(now) {
    for (const [seq, since] of pending) {
      if (now - since < plan.limit_ms) {
        return;
      }
      pending.delete(seq);
      givenUp.add(now - since);
    }
  }

  function leave() {
    leaving = true;
    clearInterval(sending);
    const now = Date.now();
    flush(now);
    pending.forEach((since) => givenUp.add(now - since));
    pending.clear();
    closeIfOpen();
  }

  function closeIfOpen() {
    if (socket.readyState === OPEN) {
      socket.close();
    }
  }
}

/** Calls at a time of the wall clock, never before it. */
function at(time, action) {
  setTimeout(action, Math.max(0, Math.ceil(time - Date.now())));
}

function boardOf(id) {
  const number = plan.spread ? id % plan.boards : Math.floor(id / plan.board_size);
  return `b${String(number).padStart(4, '0')}`;
}

/** Place of a user's messages in the period: golden-ratio steps spread any number of users. */
function phaseOf(id) {
  return ((((id * 618033989) % 1e9) * plan.period_ms) / 1e9) % plan.period_ms;
}
