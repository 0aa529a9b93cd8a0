import { channel } from 'node:diagnostics_channel';
import { createServer, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { pipeline } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';
import type { Profile } from '../../../src/contract/generated/profile.ts';
import { freePort } from '../../../src/store/testing/free-port.ts';
import { listen } from '../../../src/store/testing/listen.ts';
import { localhostCertificate } from '../../actors/own-certificate.ts';
import { resolveProfileTarget } from '../../runner/profile-target.ts';
import type { HookName } from '../../target/hooks.ts';
import { readText } from '../../target/send.ts';
import type { OpenServer } from '../server.ts';
import type { Operator } from './independent/operator.ts';
import { startServer } from './independent/server.ts';
import type { BreachName } from './independent/service.ts';
import { createIndependentWorld } from './independent-world.ts';
import { LONG_CHECKS } from './long-checks.ts';

/** @param breaches for each rule, the breach that is active while the rule's checks run */
export async function openIndependentServer(breaches?: ReadonlyMap<string, BreachName>): Promise<OpenServer> {
  const server = await startServer();
  const { profile: world, expiredToken } = createIndependentWorld(server);
  const hooks = createHooks(server.operator, server.port, expiredToken);
  const operator = await serveHooks({ ...hooks, breach: ({ rule = '' }) => server.setBreach(breaches?.get(rule)) });
  const receiver = await startTlsReceiver();
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
  const { settings, ...target } = await resolveProfileTarget(profile, { baseUrl: server.baseUrl });
  const boundary = breaches && new URL('./breach-boundary.ts', import.meta.url).href;
  return {
    ...target,
    settings: { ...settings, boundary },
    [Symbol.asyncDispose]: async () => void (await Promise.all([server.close(), operator.close(), receiver.close()])),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the hook determines the body
type Hook = (body: any) => unknown;

function createHooks(operator: Operator, port: number, expiredToken: () => string) {
  const createUser: Hook = (user) => ({ userId: operator.createUser(user) });
  const deleteUser: Hook = ({ userId }) => operator.deleteUser(userId.toLowerCase());
  const createNumber: Hook = (number) => ({ telephoneNumber: operator.createNumber(number) });
  const deleteNumber: Hook = ({ telephoneNumber }) => operator.deleteNumber(telephoneNumber);
  return {
    'fault.users': ({ operation, status }) => failOnce(operator, port, operation, status === 429 ? 'usersLimited' : 'usersStoreFails'),
    'fault.authorization': ({ operation }) => failOnce(operator, port, operation, 'authorizationUnreachable'),
    'token.expired': () => ({ accessToken: expiredToken() }),
    numbers: createNumber,
    'numbers.release': deleteNumber,
    users: createUser,
    'users.release': deleteUser,
    'experiences.unconnected'() {
      const { id, name, providerId } = operator.createExperience('GENERAL');
      return { experienceId: id, name, providerId };
    },
    'subscriptions.create': (subscription) => operator.subscribe(subscription),
    'subscriptions.remove': ({ subscriptionId }) => operator.unsubscribe(subscriptionId),
    ...createEntityChangeHooks('portal', operator),
    'portal.users.create': createUser,
    'portal.users.remove': deleteUser,
    ...createEntityChangeHooks('platform', operator),
    // A hook may write an id in another letter case than the API.
    'platform.users.create': (user) => ({ userId: operator.createUser(user).toUpperCase() }),
    'platform.users.rename': ({ userId, ...names }) => operator.updateUser(userId.toLowerCase(), names),
    'platform.users.remove': deleteUser,
    'platform.accounts.create': () => ({ accountId: operator.createAccount() }),
    'platform.accounts.remove': ({ accountId }) => operator.deleteAccount(accountId),
    'platform.numbers.create': createNumber,
    'platform.numbers.remove': deleteNumber,
  } satisfies Partial<Record<HookName, Hook>>;
}

/** Returns hooks for changes in the portal or in the platform. Both change the server in the same way. */
function createEntityChangeHooks(changeOrigin: 'portal' | 'platform', operator: Operator): Readonly<Record<string, Hook>> {
  return {
    [`${changeOrigin}.connections.create`]: ({ accountId, experienceId }) => ({
      connectionId: operator.createConnectionInPortal(accountId, experienceId),
    }),
    [`${changeOrigin}.connections.update`]: ({ connectionId, state }) => operator.setConnectionStateInPortal(connectionId, state),
    [`${changeOrigin}.connections.remove`]: ({ connectionId }) => operator.deleteConnectionInPortal(connectionId),
    [`${changeOrigin}.assignments.create`]: (assignment) => ({ assignmentId: operator.createAssignmentInPortal(assignment) }),
    [`${changeOrigin}.assignments.remove`]: ({ assignmentId }) => operator.deleteAssignmentInPortal(assignmentId),
  };
}

/** Turns a fault on until the server has responded to the next request for the operation. @param port the server's port */
function failOnce({ faults }: Operator, port: number, operation: unknown, fault: keyof Operator['faults']): void {
  const finished = channel('http.server.response.finish');
  const onFinish = (message: unknown) => {
    const { request } = message as { request: IncomingMessage };
    if (request.socket.localPort !== port || !request.url?.includes(operation === 'getUser' ? '/users/' : '/users?')) return;
    finished.unsubscribe(onFinish);
    faults[fault] = false;
  };
  finished.subscribe(onFinish);
  faults[fault] = true;
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
  const { port, close } = await listen(server);
  return { addresses: { publicUrl: `https://127.0.0.1:${port}`, listen: `127.0.0.1:${receiver}` }, close };
}
