import { createServer } from 'node:http';
import { connect } from 'node:net';
import { pipeline } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';
import type { Profile } from '../../../src/contract/generated/profile.ts';
import { freePort } from '../../../src/store/testing/free-port.ts';
import { listen } from '../../../src/store/testing/listen.ts';
import { localhostCertificate } from '../../actors/own-certificate.ts';
import { resolveProfileTarget } from '../../runner/profile-target.ts';
import { readText } from '../../target/send.ts';
import type { OpenServer } from '../server.ts';
import { startServer } from './independent/server.ts';
import type { BreachName } from './independent/service.ts';
import { createHooks, type Hook } from './independent-hooks.ts';
import { createIndependentWorld } from './independent-world.ts';
import { LONG_CHECKS } from './long-checks.ts';

/** @param breaches for each rule, the breach that is active while the rule's checks run */
export async function openIndependentServer(breaches?: ReadonlyMap<string, BreachName>): Promise<OpenServer> {
  const cleanup = new AsyncDisposableStack();
  const { service, port } = cleanup.use(await startServer());
  const { profile: world, expiredToken } = createIndependentWorld(service);
  const hooks = createHooks(service, port, expiredToken);
  const setBreach: Hook = ({ rule = '' }) => {
    service.breach = breaches?.get(rule);
  };
  const operator = cleanup.use(await serveHooks({ ...hooks, breach: setBreach }));
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
      // Shorten the waits in runs with breaches, because some breaches omit deliveries.
      patienceSeconds: breaches ? 3 : 10,
      graceSeconds: 0.2,
      repeatsWithinSeconds: breaches ? 3 : 10,
    },
    hooks: { urls: Object.fromEntries(Object.keys(hooks).map((name) => [name, `${operator.url}/${name}`])) },
    notApplicable: LONG_CHECKS,
  };
  const { settings, ...target } = await resolveProfileTarget(profile, { baseUrl: service.baseUrl });
  const boundary = breaches && new URL('./breach-boundary.ts', import.meta.url).href;
  return { ...target, settings: { ...settings, boundary }, [Symbol.asyncDispose]: () => cleanup.disposeAsync() };
}

async function serveHooks(functions: Readonly<Record<string, Hook>>) {
  const server = createServer(async (request, response) => {
    try {
      const result = functions[request.url?.slice(1) ?? '']?.(JSON.parse(await readText(request)));
      response.end(JSON.stringify(result ?? {}));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  return listen(server);
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
