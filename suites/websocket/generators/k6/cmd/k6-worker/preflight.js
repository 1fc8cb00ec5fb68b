// Draws before the start, whose answers the suite's verifier looks at.

import { WebSocket } from 'k6/websockets';

/** Has the users of the plan's preflight draw in turn; returns what each of them got. */
export async function preflight(plan) {
  if (plan.preflight.length === 0) {
    return [];
  }
  const users = await Promise.all(plan.preflight_users.map((user) => preflightUser(plan, user)));
  const answers = [];
  for (const draw of plan.preflight) {
    const answer = { ...draw, receivers: [], copies: [], start_ms: Date.now() };
    const arrivals = users.map((one) => one.next());
    users.find((one) => one.user === draw.user).socket.send(draw.text);
    for (const { user, text } of await Promise.all(arrivals)) {
      answer.receivers.push(user);
      if (!answer.copies.includes(text)) {
        answer.copies.push(text);
      }
    }
    answer.end_ms = Date.now();
    answers.push(answer);
  }
  users.forEach((one) => one.socket.close());
  return answers;
}

/** A user on the preflight's board; `next()` gives what it receives next. */
function preflightUser(plan, user) {
  const socket = new WebSocket(plan.endpoint);
  const one = { user, socket, arrived: null };
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => fail('no answer within the limit'), plan.limit_ms);
    const fail = (reason) => {
      socket.close();
      reject(new Error(reason));
    };
    one.next = () =>
      new Promise((arrived, missed) => {
        const limit = setTimeout(() => {
          socket.close();
          missed(new Error(`user ${user} got no copy within the limit`));
        }, plan.limit_ms);
        one.arrived = (text) => {
          clearTimeout(limit);
          arrived({ user, text });
        };
      });
    socket.onopen = () => socket.send(joinMessage(plan.preflight_board, user));
    socket.onerror = (event) => {
      clearTimeout(late);
      reject(new Error(event.error));
    };
    socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (message.type === 'joined') {
        clearTimeout(late);
        resolve(one);
      } else if (one.arrived !== null) {
        one.arrived(event.data);
      }
    };
  });
}

/** Message that a user says first. */
export function joinMessage(board, user) {
  return JSON.stringify({ type: 'join', board, user });
}
