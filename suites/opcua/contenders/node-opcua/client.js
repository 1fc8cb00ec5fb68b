/** node-opcua: read and write of its client's session. */

import { X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import opcua from 'node-opcua-client';
import certificates from 'node-opcua-certificate-manager';
import { networkStatus, parameter, Status } from 'wirelab-sdk';

const {
  AttributeIds,
  ClientMonitoredItemGroup,
  DataType,
  MessageSecurityMode,
  OPCUAClient,
  TimestampsToReturn,
} = opcua;

const NS_PER_MS = 1e6;
const APPLICATION_URI = 'urn:wirelab:opcua:client';
/** Publishings without a change before the server says that it is there; without a request, until it forgets. */
const KEEP_ALIVE = 100;
const LIFETIME = 300;
const TIMEOUTS = new Set(['BadTimeout', 'BadRequestTimeout']);
const GONE = new Set([
  'BadConnectionClosed',
  'BadSecureChannelClosed',
  'BadSecureChannelIdInvalid',
  'BadServerNotConnected',
  'BadNotConnected',
  'BadSessionClosed',
  'BadSessionIdInvalid',
  'BadSessionNotActivated',
  'BadShutdown',
]);

/** Opens sessions that have their settings in common, each by a client of its own. */
export class NodeOpcua {
  #spec;
  #nodeLists;
  #reads;
  #watched;
  #options;

  constructor(spec, nodeLists) {
    this.#spec = spec;
    this.#nodeLists = nodeLists;
    this.#reads = nodeLists.reads.map(valueOf);
    this.#watched = nodeLists.watched.map(valueOf);
  }

  async prepare() {
    this.#options ??= await this.#prepared();
  }

  async #prepared() {
    const spec = this.#spec;
    const timeoutMs = parameter(spec, 'request_timeout_ns', 4e9) / NS_PER_MS;
    const delayMs = parameter(spec, 'reconnect_delay_ms', 500);
    const sessionNs = parameter(spec, 'session_timeout_ns', 0);
    return {
      applicationName: 'wirelab',
      applicationUri: APPLICATION_URI,
      // Servers tell their host's name, which is not the address that we were given.
      endpointMustExist: false,
      // A first attempt is given up after another one; a lost connection is tried without end.
      connectionStrategy: { initialDelay: delayMs / 2, maxDelay: delayMs, maxRetry: 1 },
      defaultTransactionTimeout: timeoutMs,
      transportTimeout: timeoutMs,
      ...(sessionNs > 0 ? { requestedSessionTimeout: sessionNs / NS_PER_MS } : {}),
      ...(await this.#security()),
    };
  }

  async #security() {
    const spec = this.#spec;
    const { scratch } = spec.paths;
    const manager = new certificates.OPCUACertificateManager({
      rootFolder: join(scratch, 'pki'),
      automaticallyAcceptUnknownCertificate: false,
    });
    await manager.initialize();
    const policy = parameter(spec, 'security', 'None');
    if (policy === 'None') return { clientCertificateManager: manager };
    const folder = spec.facts.certificates.client_folder;
    await manager.trustCertificate(readFileSync(join(folder, 'trusted', 'peer.der')));
    const certificateFile = join(scratch, 'own.pem');
    const own = new X509Certificate(readFileSync(join(folder, 'own.der')));
    writeFileSync(certificateFile, own.toString());
    return {
      clientCertificateManager: manager,
      securityPolicy: policy,
      securityMode: MessageSecurityMode[parameter(spec, 'security_mode', 'SignAndEncrypt')],
      certificateFile,
      privateKeyFile: join(folder, 'own.key.pem'),
    };
  }

  async open() {
    const client = OPCUAClient.create(this.#options);
    try {
      await client.connect(this.#spec.endpoints.server);
      return this.#sessionOf(client, await client.createSession());
    } catch (why) {
      await client.disconnect().catch(() => {});
      throw why;
    }
  }

  #sessionOf(client, session) {
    return {
      read: async () => {
        const values = await session.read(this.#reads, 0);
        return {
          count: values.length,
          bad: badOf(values.map(({ statusCode }) => statusCode)),
          value: (position) => values[position].value?.value ?? null,
        };
      },
      writing: (sequence) => {
        const items = this.#nodeLists.writes.map((nodeId, position) =>
          writeOf(nodeId, this.#nodeLists.value(position, sequence)),
        );
        return async () => {
          const codes = await session.write(items);
          return { count: codes.length, bad: badOf(codes) };
        };
      },
      poll: async () => (await session.read(this.#watched, 0)).map(readingOf),
      subscribe: (intervalMs, kept, changes) =>
        this.#subscribe(session, { samplingInterval: intervalMs, queueSize: kept }, changes),
      close: async () => {
        await session.close();
        await client.disconnect();
      },
    };
  }

  async #subscribe(session, parameters, changes) {
    const subscription = await session.createSubscription2({
      requestedPublishingInterval: parameters.samplingInterval,
      requestedLifetimeCount: LIFETIME,
      requestedMaxKeepAliveCount: KEEP_ALIVE,
      maxNotificationsPerPublish: 0,
      publishingEnabled: true,
      priority: 0,
    });
    const group = ClientMonitoredItemGroup.create(
      subscription,
      this.#watched,
      { ...parameters, discardOldest: true },
      TimestampsToReturn.Source,
    );
    group.on('changed', (_item, value, tag) => changes.put(tag, readingOf(value)));
    await new Promise((resolve, reject) => {
      group.once('initialized', () => resolve(undefined));
      group.once('err', (message) => reject(new Error(message)));
    });
  }

  failed(why) {
    const name = statusOf(why);
    let status = networkStatus(why);
    if (TIMEOUTS.has(name)) status = Status.TIMEOUT;
    else if (GONE.has(name)) status = Status.DISCONNECTED;
    return { status, error: Object.assign(why, { code: name || why.code }) };
  }
}

function valueOf(nodeId) {
  return { nodeId, attributeId: AttributeIds.Value };
}

function readingOf({ value, statusCode }) {
  const reading = { value: value?.value ?? null };
  if (statusCode.isGood()) return reading;
  return { ...reading, bad: { name: statusCode.name, text: statusCode.description } };
}

/** Only the value: a server need not accept a status or a timestamp from a client. */
function writeOf(nodeId, { type, value }) {
  return {
    nodeId,
    attributeId: AttributeIds.Value,
    value: { value: { dataType: DataType[type], value } },
  };
}

function badOf(codes) {
  return codes.flatMap((code, position) =>
    code.isGood() ? [] : [{ position, name: code.name, text: code.description }],
  );
}

/** The standard's name of a status that a failure carries, or only tells in its message. */
function statusOf(why) {
  return (
    why.response?.responseHeader?.serviceResult?.name ?? /\bBad[A-Z]\w+/.exec(why.message)?.[0] ?? ''
  );
}
