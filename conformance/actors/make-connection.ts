import { must } from '../expect/broken.ts';
import { type ConnectionKey, documentedMembers, type ShownConnection } from '../expect/connections.ts';
import { eventually, settlingOf } from '../expect/eventually.ts';
import { sameId } from '../expect/same-id.ts';
import type { Pair, TargetType } from '../target/capabilities-of-events.ts';
import type { Answer } from '../target/exchange.ts';
import type { Ledger } from '../target/ledger.ts';
import type { Need } from '../target/need.ts';
import { fill, placeOf, type Values } from '../target/template.ts';
import type { Client } from './client.ts';
import { createAssignments } from './make-assignment.ts';

export type State = 'ACTIVE' | 'INACTIVE';
export const otherState = (state: string): State => (state === 'ACTIVE' ? 'INACTIVE' : 'ACTIVE');

/** Who asks, if not the identity that may do everything; and what is sent instead of what the template makes. */
interface Asked {
  readonly token?: string;
  readonly rawBody?: string;
}

/** Connections of the suite's own: `account.second` and one of `experiences.unconnected` unless said otherwise. All are removed after the check. */
export interface Connections {
  /** Takes a pair that is not connected. */
  pair(): Promise<Pair>;
  /** Asks for a connection. What is left out of the values is left out of the body. */
  create(values: Values, asked?: Asked): Promise<Answer>;
  /** A connection for a check to work on. @throws Error where the target does not make it: that says nothing about the rule at hand. */
  make(wanted?: { accountId?: string; state?: State }): Promise<ConnectionKey>;
  /** The connection that a success made, by its body or else by the list. @throws RuleBroken where neither tells. */
  madeBy(answer: Answer, pair: Pair): Promise<ConnectionKey>;
  update(key: ConnectionKey, state: string | undefined, asked?: Asked): Promise<Answer>;
  read(key: ConnectionKey, asked?: Asked): Promise<Answer>;
  remove(key: ConnectionKey, asked?: Asked): Promise<Answer>;
  /** Assigns the connection's Experience to a target. @returns what removes the assignment. @throws Error where the target does not make it */
  assign(key: ConnectionKey, targetType: TargetType, targetValue: string): Promise<() => Promise<void>>;
  /** The state that is shown. A target that shows none ends the check as not testable: the specification requires no member. */
  stateOf(key: ConnectionKey): Promise<string>;
  /** What is documented of the connection, as one text: equal texts are an unchanged connection. */
  snapshot(key: ConnectionKey): Promise<string>;
}

export function createConnections(api: Client, need: Need, ledger: Ledger, notTestable: (missing: string) => never): Connections {
  const unheard = (step: string, { status, text }: Answer) =>
    new Error(`the target refused ${step}, which this check needs (${status}): ${text.slice(0, 200)}`);
  async function shown(key: ConnectionKey): Promise<ShownConnection> {
    const answer = await connections.read(key);
    if (answer.status !== 200) throw unheard('to read a connection', answer);
    return answer.json as ShownConnection;
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
      // Also where it should have been refused: nothing is left behind.
      if (isSuccess(answer)) {
        const { accountId = await need('account.second'), experienceId } = values;
        const made = await connections.madeBy(answer, { accountId, experienceId: experienceId ?? '' }).catch(() => undefined);
        if (made) ledger.connection(made.id);
      }
      return answer;
    },

    async madeBy(answer, pair) {
      const id = (answer.json as ShownConnection | undefined)?.id;
      if (typeof id === 'string') return { id, ...pair };
      return eventually(settlingOf(answer), async () => {
        const listed = await api.call('getExperienceConnections', { token: await need('token'), query: pair });
        const found = (listed.json as { entities?: ShownConnection[] } | undefined)?.entities?.find(
          ({ experienceId }) => experienceId === undefined || sameId(experienceId, pair.experienceId),
        );
        must(typeof found?.id === 'string', 'the list tells the id of a new connection', listed);
        return { id: found.id, ...pair };
      });
    },

    async make({ accountId, state } = {}) {
      const pair = { ...(await connections.pair()), ...(accountId !== undefined && { accountId }) };
      const answer = await connections.create({ ...pair, state });
      if (!isSuccess(answer)) throw unheard('a connection', answer);
      const made = await connections.madeBy(answer, pair).catch((error: Error) => Promise.reject(new Error(error.message)));
      // What was accepted need not be there yet.
      if (settlingOf(answer) > 0)
        await eventually(settlingOf(answer), async () =>
          must((await connections.read(made)).status === 200, 'the connection is there'),
        ).catch(() => {
          throw unheard('a connection', answer);
        });
      if (state !== undefined && (await connections.stateOf(made)) !== state) {
        const updated = await connections.update(made, state);
        if (!isSuccess(updated)) throw unheard(`the state ${state}`, updated);
        await eventually(settlingOf(updated), async () =>
          must((await connections.stateOf(made)) === state, `the connection becomes ${state}`),
        ).catch(() => {
          throw unheard(`the state ${state}`, updated);
        });
      }
      return made;
    },

    async update({ id, accountId, experienceId }, state, { token, rawBody } = {}) {
      await need('write');
      const body = fill(await need('bodies.connectionUpdate'), { accountId, experienceId, state });
      const path = { experienceConnectionId: id };
      return api.call('updateExperienceConnection', {
        token: token ?? (await need('token')),
        path,
        ...(rawBody === undefined ? { body } : { rawBody }),
      });
    },

    async read({ id }, { token } = {}) {
      return api.call('getExperienceConnection', { token: token ?? (await need('token')), path: { experienceConnectionId: id } });
    },

    async remove({ id }, { token } = {}) {
      await need('write');
      return api.call('deleteExperienceConnection', { token: token ?? (await need('token')), path: { experienceConnectionId: id } });
    },

    async assign({ experienceId }, targetType, targetValue) {
      const { id: assignmentId } = await createAssignments(api, need, ledger).make({ experienceId, targetType, targetValue });
      return async () => {
        const answer = await api.call('deleteExperienceAssignment', { token: await need('token'), path: { assignmentId } });
        if (!isSuccess(answer)) throw unheard('to remove an assignment', answer);
      };
    },

    async stateOf(key) {
      return (await shown(key)).state ?? notTestable('the state of a connection is not shown');
    },

    async snapshot(key) {
      return documentedMembers(await shown(key));
    },
  };
  return connections;
}

export function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status < 300;
}
