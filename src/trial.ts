import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { type Clock, LONGEST_STEP_MS } from './clock/clock.ts';
import type { Judgement } from './contract/evidence.ts';
import type { Decisions } from './contract/generated/decisions.ts';
import type { ControlCall, NoTrial, Reply, SentRequest, Trial } from './control/explain/trial.ts';
import type { Kit, KitHooks } from './running-kit.ts';
import type { KitSettings } from './settings.ts';
import { countEntities } from './store/counts.ts';
import type { Store } from './store/store.ts';
import { dumpWorld } from './world/dump.ts';
import { FixtureError } from './world/fixture-error.ts';

interface TrialContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly decisions: Decisions;
  /** Starts a kit: handed in, so that the kit can know its trials. */
  start(settings: KitSettings, hooks: KitHooks): Promise<Kit>;
}

/** A copy of more would take too long for somebody who waits for an answer. */
const MOST_ENTITIES = 20_000;
const AS_COPIED = 'as-copied';

/**
 * Copies the present world into a kit of its own: in memory that is gone after `close`, on a free port of loopback, with the same decisions and kit
 * time. The copy has no subscriptions, so that whatever happens in it is delivered to nobody.
 */
export async function openTrial({ store, clock, decisions, start }: TrialContext): Promise<Trial | NoTrial> {
  const count = Object.values(await countEntities(store.db)).reduce((sum, some) => sum + some, 0);
  if (count > MOST_ENTITIES) return { why: `The world has ${count} entities; one of more than ${MOST_ENTITIES} is not copied.` };
  const { subscriptions: _nobodyIsTold, ...world } = await store.read(dumpWorld);
  // What is copied may be secret, and others may use this machine.
  const controlToken = randomUUID();
  let kit: Kit;
  let judged: Judgement | undefined;
  try {
    kit = await start(
      { port: 0, host: '127.0.0.1', controlToken, fixtures: world, set: decisions, retries: 'off', login: 'auto', logLevel: 'silent' },
      {
        judged(judgement) {
          judged = judgement;
        },
      },
    );
  } catch (error) {
    if (error instanceof FixtureError) return { why: `The world cannot be copied: ${error.message}` };
    throw error;
  }
  const operator = { 'content-type': 'application/json', 'x-control-token': controlToken };
  const control = (call: ControlCall) => send(kit.port, { ...call, path: `/_control${call.path}`, headers: operator }, text(call.body));
  try {
    for (let rest = clock.offset - kit.clock.offset; rest > 0; rest -= LONGEST_STEP_MS)
      await kit.clock.advance(Math.min(rest, LONGEST_STEP_MS));
    await control({ method: 'PUT', path: `/snapshots/${AS_COPIED}` });
  } catch (error) {
    await kit.close();
    throw error;
  }
  // A token is good for longer than what is tried with it takes, and a restart leaves it good.
  const minted = new Map<string, Promise<string | undefined>>();
  function authorizationFor(token: NonNullable<SentRequest['token']>): Promise<string | undefined> {
    const key = JSON.stringify(token);
    const known = minted.get(key) ?? bearer(control, token);
    minted.set(key, known);
    return known;
  }
  return {
    world,
    control,
    async send(request) {
      const authorization = request.token && (await authorizationFor(request.token));
      judged = undefined;
      const reply = await send(
        kit.port,
        { ...request, headers: { ...request.headers, ...(authorization && { authorization }) } },
        request.body,
      );
      return { ...reply, judgement: judged };
    },
    restart: async () => void (await control({ method: 'POST', path: '/reset', body: { to: AS_COPIED } })),
    close: () => kit.close(),
  };
}

const text = (body: unknown) => (body === undefined ? undefined : JSON.stringify(body));

async function bearer(control: Trial['control'], body: SentRequest['token']): Promise<string | undefined> {
  const { status, body: minted } = await control({ method: 'POST', path: '/tokens', body });
  return status === 201 ? `Bearer ${(minted as { accessToken: string }).accessToken}` : undefined;
}

/** Sends what fetch would not: any path as it is written, and a body with any method. */
function send(
  port: number,
  { method, path, headers }: { method: string; path: string; headers: Readonly<Record<string, string>> },
  body?: string,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const request = httpRequest({ host: '127.0.0.1', port, method, path, headers: { ...headers, ...length }, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode, body: parsed(Buffer.concat(chunks).toString()) }));
      response.on('error', () => resolve({ status: undefined, body: undefined }));
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET') resolve({ status: undefined, body: undefined });
      else reject(error);
    });
    request.end(body);
  });
}

function parsed(answer: string): unknown {
  try {
    return JSON.parse(answer);
  } catch {
    return answer;
  }
}
