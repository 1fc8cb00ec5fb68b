/** Read and write of a session, and its subscriptions. */

import opcua from 'node-opcua-client';

import { badOf, readingOf } from './statuses.js';

const { AttributeIds, ClientMonitoredItemGroup, DataType, TimestampsToReturn } = opcua;

/** Publishings without a change before the server says that it is there; without a request, until it forgets. */
const KEEP_ALIVE = 100;
const LIFETIME = 300;

/** The nodes of a spec in the library's form, made once. */
export class Nodes {
  #lists;

  constructor(lists) {
    this.#lists = lists;
    this.reads = lists.reads.map(valueOf);
    this.watched = lists.watched.map(valueOf);
  }

  writes(sequence) {
    return this.#lists.writes.map((nodeId, position) =>
      writeOf(nodeId, this.#lists.value(position, sequence)),
    );
  }
}

/** One session with the server, over a channel of its own. */
export class Session {
  #client;
  #session;
  #nodes;

  constructor(client, session, nodes) {
    this.#client = client;
    this.#session = session;
    this.#nodes = nodes;
  }

  async read() {
    const values = await this.#session.read(this.#nodes.reads, 0);
    return {
      count: values.length,
      bad: badOf(values.map(({ statusCode }) => statusCode)),
      value: (position) => values[position].value?.value ?? null,
    };
  }

  writing(sequence) {
    const items = this.#nodes.writes(sequence);
    return async () => {
      const codes = await this.#session.write(items);
      return { count: codes.length, bad: badOf(codes) };
    };
  }

  async poll() {
    return (await this.#session.read(this.#nodes.watched, 0)).map(readingOf);
  }

  async subscribe(intervalMs, kept, changes) {
    const subscription = await this.#session.createSubscription2({
      requestedPublishingInterval: intervalMs,
      requestedLifetimeCount: LIFETIME,
      requestedMaxKeepAliveCount: KEEP_ALIVE,
      maxNotificationsPerPublish: 0,
      publishingEnabled: true,
      priority: 0,
    });
    const group = ClientMonitoredItemGroup.create(
      subscription,
      this.#nodes.watched,
      { samplingInterval: intervalMs, queueSize: kept, discardOldest: true },
      TimestampsToReturn.Source,
    );
    group.on('changed', (_item, value, tag) => changes.put(tag, readingOf(value)));
    await new Promise((resolve, reject) => {
      group.once('initialized', () => resolve(undefined));
      group.once('err', (message) => reject(new Error(message)));
    });
  }

  async close() {
    await this.#session.close();
    await this.#client.disconnect();
  }
}

function valueOf(nodeId) {
  return { nodeId, attributeId: AttributeIds.Value };
}

/** Only the value: a server need not accept a status or a timestamp from a client. */
function writeOf(nodeId, { type, value }) {
  return {
    nodeId,
    attributeId: AttributeIds.Value,
    value: { value: { dataType: DataType[type], value } },
  };
}
