import { connect } from 'node:net';
import { pipeline } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';
import type { Profile } from '../../../src/contract/generated/profile.ts';
import { freePort } from '../../../src/store/testing/free-port.ts';
import { listen } from '../../../src/store/testing/listen.ts';
import { localhostCertificate } from '../../actors/own-certificate.ts';
import { resolveProfileTarget } from '../../runner/profile-target.ts';
import type { OpenServer } from '../server.ts';
import { startServer } from './independent/server.ts';
import { createHooks } from './independent-hooks.ts';
import { createIndependentWorld } from './independent-world.ts';
import { LONG_CHECKS } from './long-checks.ts';
import { serveHooks } from './serve-hooks.ts';

export async function openIndependentServer(): Promise<OpenServer> {
  const cleanup = new AsyncDisposableStack();
  const { service, port } = cleanup.use(await startServer());
  const { profile: world, expiredToken } = createIndependentWorld(service);
  const operator = cleanup.use(await serveHooks(createHooks(service, port, expiredToken)));
  const receiver = cleanup.use(await startTlsReceiver());
  const profile: Profile = {
    ...world,
    allow: { write: true, rate: true },
    bodies: {
      connectionCreate: { account: { id: '{{accountId}}' }, experience: { id: '{{experienceId}}' } },
      connectionUpdate: { desired: '{{state}}' },
    },
    events: {
      receiver: { ...receiver.addresses, reachableFromHere: false },
      patienceSeconds: 10,
      graceSeconds: 0.2,
      repeatsWithinSeconds: 10,
    },
    hooks: { urls: operator.urls },
    notApplicable: LONG_CHECKS,
  };
  const target = await resolveProfileTarget(profile, { baseUrl: service.baseUrl });
  return { ...target, [Symbol.asyncDispose]: () => cleanup.disposeAsync() };
}

/** Starts an https server that forwards to the suite's http receiver. */
async function startTlsReceiver() {
  const receiver = await freePort();
  const server = createTlsServer(localhostCertificate, (outside) => {
    const inside = connect(receiver, '127.0.0.1');
    // Close both connections if either of them fails.
    pipeline(outside, inside, outside, () => {});
  });
  const listening = await listen(server);
  return { ...listening, addresses: { publicUrl: `https://127.0.0.1:${listening.port}`, listen: `127.0.0.1:${receiver}` } };
}
