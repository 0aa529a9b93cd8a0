import { sameId } from '../expect/compare.ts';
import { type ConnectionKey, documentedMembers, isConnection, type ShownConnection } from '../expect/connection.ts';
import { effectDelay, expectEffect, expectSuccess, isSuccess, requireSuccess } from '../expect/response.ts';
import { must, onRuleBroken } from '../expect/rule-broken.ts';
import type { Pair, TargetType } from '../target/capabilities-of-events.ts';
import type { Answer } from '../target/exchange.ts';
import type { Ledger } from '../target/ledger.ts';
import type { Need } from '../target/need.ts';
import { notTestable } from '../target/not-testable.ts';
import { fill, placeOf, type Values } from '../target/template.ts';
import type { Client } from './api-client.ts';
import { createAssignments } from './assignments.ts';
import { listPages } from './lists.ts';

export type State = 'ACTIVE' | 'INACTIVE';
export const otherState = (state: string): State => (state === 'ACTIVE' ? 'INACTIVE' : 'ACTIVE');

/** What a request sends instead of the full token, or of the body from the template. */
interface Sent {
  readonly token?: string;
  readonly rawBody?: string;
}

type Query = Readonly<Record<string, string | number | undefined>>;

/** Creates, reads, updates and deletes connections. All that were created are removed after the check. */
export interface Connections {
  /** A pair that is not connected: `account.second` and one of `experiences.unconnected`. */
  pair(): Promise<Pair>;
  /** Requests a creation. Values that are missing are left out of the body. */
  create(values: Values, sent?: Sent): Promise<Answer>;
  /** Creates a connection that the check needs. @throws Error if the target refuses: that says nothing about the rule at hand */
  make(wanted?: { accountId?: string; state?: State }): Promise<ConnectionKey>;
  /** Finds the connection that a successful request created, in its body or in the list. @throws RuleBroken if neither shows it */
  createdBy(answer: Answer, pair: Pair): Promise<ConnectionKey>;
  /** Requests an update. An undefined state is left out of the body. */
  update(key: ConnectionKey, state: string | undefined, sent?: Sent): Promise<Answer>;
  read(key: ConnectionKey, sent?: Sent): Promise<Answer>;
  /** Requests a deletion. */
  remove(key: ConnectionKey, sent?: Sent): Promise<Answer>;
  /** Updates the state and waits until it shows. Ends the check as not testable if the target refuses. */
  setState(key: ConnectionKey, state: State): Promise<void>;
  /** Deletes the connection and waits until it is gone. Ends the check as not testable if the target refuses. */
  deleteConnection(key: ConnectionKey): Promise<void>;
  /** Assigns the connection's Experience to a target. @returns a function that removes the assignment @throws Error if the target refuses */
  assign(key: ConnectionKey, targetType: TargetType, targetValue: string): Promise<() => Promise<void>>;
  /** Reads the state. A target that does not show it ends the check as not testable, as the specification does not require it. */
  stateOf(key: ConnectionKey): Promise<string>;
  /** Reads the documented members, as a string for `expectUnchanged`. */
  snapshot(key: ConnectionKey): Promise<string>;
  /** @throws RuleBroken unless the connection exists with the members of the snapshot */
  expectUnchanged(key: ConnectionKey, snapshot: string): Promise<void>;
  /** @throws RuleBroken unless the list for the query contains the connection */
  expectListed(query: Query, key: Pair & { id?: string }): Promise<void>;
  /** @throws RuleBroken if the list for the query contains the connection */
  expectNotListed(query: Query, key: Pair & { id?: string }, sent?: Pick<Sent, 'token'>): Promise<void>;
  /** The connection as it is read and as it is listed. @throws RuleBroken unless it is both */
  readAndListed(key: ConnectionKey): Promise<readonly [ShownConnection, ShownConnection]>;
}

export function createConnections(api: Client, need: Need, ledger: Ledger): Connections {
  const refused = (what: string, { status, text }: Answer) =>
    new Error(`the target refused ${what}, which this check needs (${status}): ${text.slice(0, 200)}`);

  async function shown(key: ConnectionKey): Promise<ShownConnection> {
    const answer = await connections.read(key);
    if (answer.status !== 200) throw refused('to read a connection', answer);
    return answer.json as ShownConnection;
  }

  async function find(query: Query, key: Pair & { id?: string }, token?: string) {
    const pages = await listPages(api, 'getExperienceConnections', { token: token ?? (await need('token')), query });
    const found: ShownConnection | undefined = pages.flatMap(({ entities }) => entities).find((each) => isConnection(each, key));
    return { found, answer: pages.at(-1)?.answer };
  }

  const connections: Connections = {
    async pair() {
      return {
        accountId: await need('account.second', 'experiences.unconnected', 'write', 'bodies.connectionCreate'),
        experienceId: await (await need('experiences.unconnected'))(),
      };
    },

    async create(values, { token, rawBody } = {}) {
      await need('write');
      const template = await need('bodies.connectionCreate');
      const body = fill(template, placeOf(template, 'state') === 'required' ? { state: 'INACTIVE', ...values } : values);
      const answer = await api.call('createExperienceConnection', {
        token: token ?? (await need('token')),
        ...(rawBody === undefined ? { body } : { rawBody }),
      });
      // Also if the creation should have been refused: nothing is left behind.
      if (isSuccess(answer)) {
        const { accountId = await need('account.second'), experienceId = '' } = values;
        const created = await connections.createdBy(answer, { accountId, experienceId }).catch(() => undefined);
        if (created) ledger.connection(created.id);
      }
      return answer;
    },

    async createdBy(answer, pair) {
      const id = (answer.json as ShownConnection | undefined)?.id;
      if (typeof id === 'string') return { id, ...pair };
      return expectEffect(answer, async () => {
        const list = await api.call('getExperienceConnections', { token: await need('token'), query: pair });
        const { entities = [] } = (list.json ?? {}) as { entities?: ShownConnection[] };
        const found = entities.find(({ experienceId }) => experienceId === undefined || sameId(experienceId, pair.experienceId));
        must(typeof found?.id === 'string', 'the list shows the id of a new connection', list);
        return { id: found.id, ...pair };
      });
    },

    async make({ accountId, state } = {}) {
      const pair = { ...(await connections.pair()), ...(accountId !== undefined && { accountId }) };
      const answer = await connections.create({ ...pair, state });
      if (!isSuccess(answer)) throw refused('a connection', answer);
      const failed = (what: string, response: Answer) => () => Promise.reject(refused(what, response));
      const key = await connections.createdBy(answer, pair).catch((error: Error) => Promise.reject(new Error(error.message)));
      if (effectDelay(answer) > 0)
        await expectEffect(answer, async () => must((await connections.read(key)).status === 200, 'the connection exists')).catch(
          failed('a connection', answer),
        );
      if (state !== undefined && (await connections.stateOf(key)) !== state) {
        const updated = await connections.update(key, state);
        if (!isSuccess(updated)) throw refused(`the state ${state}`, updated);
        await expectEffect(updated, async () => must((await connections.stateOf(key)) === state, `the connection is ${state}`)).catch(
          failed(`the state ${state}`, updated),
        );
      }
      return key;
    },

    async update({ id, accountId, experienceId }, state, { token, rawBody } = {}) {
      await need('write');
      const body = fill(await need('bodies.connectionUpdate'), { accountId, experienceId, state });
      return api.call('updateExperienceConnection', {
        token: token ?? (await need('token')),
        path: { experienceConnectionId: id },
        ...(rawBody === undefined ? { body } : { rawBody }),
      });
    },

    read: async ({ id }, { token } = {}) =>
      api.call('getExperienceConnection', { token: token ?? (await need('token')), path: { experienceConnectionId: id } }),

    async remove({ id }, { token } = {}) {
      await need('write');
      return api.call('deleteExperienceConnection', { token: token ?? (await need('token')), path: { experienceConnectionId: id } });
    },

    async setState(key, state) {
      const what = `a connection that becomes ${state}`;
      const answer = requireSuccess(what, await connections.update(key, state));
      await expectEffect(answer, async () => must((await connections.stateOf(key)) === state, what)).catch(
        onRuleBroken(() => notTestable(`${what}, which does not show`)),
      );
    },

    async deleteConnection(key) {
      const answer = requireSuccess('a connection that is deleted', await connections.remove(key));
      await expectEffect(answer, async () => must((await connections.read(key)).status === 404, 'the connection is gone')).catch(
        onRuleBroken(() => notTestable('a deleted connection that is gone')),
      );
    },

    async assign({ experienceId }, targetType, targetValue) {
      const assignments = createAssignments(api, need, ledger);
      const { id } = await assignments.make({ experienceId, targetType, targetValue });
      return async () => {
        const answer = await assignments.remove(id);
        if (!isSuccess(answer)) throw refused('to remove an assignment', answer);
      };
    },

    stateOf: async (key) => (await shown(key)).state ?? notTestable('the state of a connection is not shown'),
    snapshot: async (key) => documentedMembers(await shown(key)),

    async expectUnchanged(key, before) {
      const answer = await connections.read(key);
      const after = documentedMembers(expectSuccess<ShownConnection>('getExperienceConnection', answer, 200));
      must(after === before, `the connection stays ${before} and does not become ${after}`, answer);
    },

    async expectListed(query, key) {
      const { found, answer } = await find(query, key);
      must(found, 'the list contains the connection', answer);
    },

    async expectNotListed(query, key, { token } = {}) {
      const { found, answer } = await find(query, key, token);
      must(found === undefined, 'the list does not contain the connection', answer);
    },

    async readAndListed(key) {
      const read = expectSuccess<ShownConnection>('getExperienceConnection', await connections.read(key), 200);
      const { found, answer } = await find({ accountId: key.accountId }, key);
      must(found, 'the list contains the connection', answer);
      return [read, found];
    },
  };
  return connections;
}
