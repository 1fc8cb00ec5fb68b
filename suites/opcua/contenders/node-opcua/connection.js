/** node-opcua: sessions of its client, and the security that they have. */

import { X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import opcua from 'node-opcua-client';
import certificates from 'node-opcua-certificate-manager';
import { parameter } from 'wirelab-sdk';

import { Nodes, Session } from './session.js';
import { failed } from './statuses.js';

const { MessageSecurityMode, OPCUAClient } = opcua;

const NS_PER_MS = 1e6;
const APPLICATION_URI = 'urn:wirelab:opcua:client';

/** Opens sessions that have their settings in common, each by a client of its own. */
export class NodeOpcua {
  #spec;
  #nodes;
  #options;

  constructor(spec, nodeLists) {
    this.#spec = spec;
    this.#nodes = new Nodes(nodeLists);
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
      return new Session(client, await client.createSession(), this.#nodes);
    } catch (why) {
      await client.disconnect().catch(() => {});
      throw why;
    }
  }

  failed(why) {
    return failed(why);
  }
}
