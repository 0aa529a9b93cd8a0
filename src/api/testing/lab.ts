import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, mock } from 'node:test';
import createClient, { type Client } from 'openapi-fetch';
import type { paths as ControlPaths, components } from '../../contract/generated/control.ts';
import type { PathForm } from '../../contract/generated/operations.ts';
import { schemaReferences } from '../../contract/generated/schema-references.ts';
import type { paths } from '../../contract/generated/service.ts';
import { validator } from '../../contract/validators.ts';
import { createKit, type Kit, type KitSettings } from '../../kit.ts';
import type { Engine } from '../../store/engine.ts';
import { freshDatabase } from '../../store/testing/postgres.ts';
import { checkedFetch } from './checked-fetch.ts';
import type { Reply } from './expect.ts';
import { behaviourWorld, idOf, LOAD_CLIENTS, numberOf, type ReadyToken, ROOMS } from './world.ts';

type Control = components['schemas'];
/** Who asks: a token of the world, any other, or nobody. */
export type Token = ReadyToken | { readonly text: string } | 'none';
export type ServiceClient = Client<paths>;

/** An account of a test's own, in which nothing has happened yet. */
export interface Room {
  readonly alias: string;
  readonly accountId: string;
  readonly numbers: readonly [string, string, string];
  readonly users: readonly [string, string];
}

/** What is sent as it is, right or wrong. */
export interface RawRequest {
  readonly token?: Token;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text goes as it is; anything else as JSON. */
  readonly body?: unknown;
}

/** A kit on one of the engines, and all that tests do with it. */
export interface Lab {
  readonly engine: Engine;
  readonly kit: Kit;
  /** The typed client of the service. */
  api(token: Token, form?: PathForm): ServiceClient;
  send(method: string, path: string, request?: RawRequest): Promise<Reply>;
  readonly control: Client<ControlPaths>;
  room(): Room;
  /** A token of a client that no other test uses. */
  loadToken(): Promise<Token>;
  mint(request: Control['TokenRequest']): Promise<Token>;
  fault(fault: Control['FaultRequest']): Promise<void>;
  advance(by: number): Promise<void>;
  /** What subscribers are to be sent, as it will be sent. */
  envelopes(): Promise<readonly { readonly type: string }[]>;
  /** The types of what was published about an account since the kit started, in order. */
  published(accountId: string): Promise<string[]>;
}

// Wall time stands still, so that what depends on kit time depends on the tests' steps alone, and everything happens within one millisecond.
mock.timers.enable({ apis: ['Date'], now: Date.now() });

/** The same tests on both engines, side by side, a kit each. Every test begins in a second of its own. */
export function onBothEngines(title: string, suite: (lab: Lab) => void, settings: KitSettings = {}): void {
  describe(title, { concurrency: true }, () => {
    for (const engine of ['sqlite', 'postgres'] as const) {
      describe(engine, { concurrency: 1 }, () => {
        const opened = createLab(engine, settings);
        before(opened.open);
        beforeEach(() => opened.lab.advance(1000));
        after(opened.close);
        suite(opened.lab);
      });
    }
  });
}

function createLab(engine: Engine, settings: KitSettings) {
  let kit: Kit | undefined;
  let tokens: Readonly<Record<string, string>> = {};
  let rooms = 0;
  let loads = 0;
  const theKit = () => kit ?? assert.fail('the kit is not open');
  const headerOf = (token: Token) =>
    token === 'none' ? {} : { authorization: `Bearer ${typeof token === 'object' ? token.text : tokens[token]}` };

  const lab: Lab = {
    engine,
    get kit() {
      return theKit();
    },
    api: (token, form = 'prefixed') =>
      createClient<paths>({
        baseUrl: theKit().url,
        headers: headerOf(token),
        fetch: (request) => checkedFetch(form === 'prefixed' ? request : new Request(flat(request.url), request)),
      }),
    async send(method, path, { token = 'none', headers, body } = {}) {
      const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
      const type = body === undefined ? {} : { 'content-type': 'application/json' };
      const init = { method, headers: { ...headerOf(token), ...type, ...headers }, ...(text !== undefined && { body: Buffer.from(text) }) };
      const response = await checkedFetch(new Request(`${theKit().url}${path}`, init));
      const answer = await response.text();
      if (answer === '') return { response };
      return response.ok ? { data: JSON.parse(answer), response } : { error: JSON.parse(answer), response };
    },
    get control() {
      return createClient<ControlPaths>({ baseUrl: theKit().url });
    },
    room() {
      const n = ++rooms;
      assert.ok(n <= ROOMS, 'there are no more rooms');
      const users = [1, 2].map((k) => idOf('users', `room-${n}-user-${k}`)) as [string, string];
      return {
        alias: `room-${n}`,
        accountId: idOf('accounts', `room-${n}`),
        numbers: [numberOf(n, 1), numberOf(n, 2), numberOf(n, 3)],
        users,
      };
    },
    loadToken() {
      assert.ok(++loads <= LOAD_CLIENTS, 'there are no more clients');
      return lab.mint({ client: `load-${loads}`, principal: 'manager' });
    },
    async mint(request) {
      const { data, error } = await lab.control.POST('/_control/tokens', { body: request });
      return { text: data?.accessToken ?? assert.fail(JSON.stringify(error)) };
    },
    async fault(fault) {
      const { error } = await lab.control.POST('/_control/faults', { body: fault });
      assert.equal(error, undefined);
    },
    async advance(by) {
      const { error } = await lab.control.POST('/_control/clock/advance', { body: { by } });
      assert.equal(error, undefined);
    },
    async envelopes() {
      const rows = await theKit().store.db.selectFrom('deliveries').select('body').execute();
      return rows.map(({ body }) => JSON.parse(body) as { type: string });
    },
    async published(accountId) {
      const events = await theKit().store.db.selectFrom('events').select(['id', 'type', 'data']).orderBy('id').execute();
      return events.filter(({ data }) => (JSON.parse(data) as { accountId: string }).accountId === accountId).map(({ type }) => type);
    },
  };
  return {
    lab,
    async open() {
      const place = engine === 'postgres' ? { database: await freshDatabase() } : {};
      kit = await createKit({ port: 0, fixtures: behaviourWorld, ...place, ...settings });
      tokens = await kit.tokens();
    },
    async close() {
      // What was published is as asyncapi.yaml says.
      for (const envelope of await lab.envelopes()) {
        const schema = schemaReferences.events[envelope.type as keyof typeof schemaReferences.events];
        assert.deepEqual(validator(schema)(envelope), [], JSON.stringify(envelope));
      }
      await kit?.close();
    },
  };
}

/** The flat form of a prefixed address (Endpoints › Path forms). */
function flat(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return (
    origin +
    pathname.replace('/experience/experiences/', '/experiences/').replace(/^\/experience\/(assignments|connections)/, '/experience-$1') +
    search
  );
}
