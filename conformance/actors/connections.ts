import type { Answer } from '../../src/expect/answer.ts';
import { isSuccess } from '../../src/expect/response.ts';
import { must } from '../../src/expect/rule-broken.ts';
import { isSameId } from '../../src/expect/same-id.ts';
import type { TargetType } from '../../src/refusals/hostile-values.ts';
import { type ConnectionInResponse, type ConnectionKey, isConnection, serializeDocumentedMembers } from '../expect/connection.ts';
import { expectEffect, expectStatus, expectSuccess, getMaxRequestEffectDelayMs, requireSuccess } from '../expect/response.ts';
import { onRuleBroken } from '../expect/rule-broken.ts';
import type { Need, Pair } from '../target/capabilities.ts';
import { endAsNotTestable } from '../target/check-report.ts';
import { fillTemplate, findPlaceholder } from '../target/template.ts';
import type { Client, Query } from './api-client.ts';
import { createAssignments } from './assignments.ts';
import type { Ledger } from './ledger.ts';
import { requestAllPages } from './lists.ts';

export type State = 'ACTIVE' | 'INACTIVE';
export const toggleState = (state: string): State => (state === 'ACTIVE' ? 'INACTIVE' : 'ACTIVE');

type Key = Pick<ConnectionKey, 'id'>;

/** The created connections are deleted after the check. */
export type Connections = ReturnType<typeof createConnections>;

export function createConnections(api: Client, need: Need, ledger: Ledger) {
  const createRefusalError = (what: string, { status, text }: Answer) =>
    new Error(`the check needs ${what}, but the target answered with ${status}: ${text.slice(0, 200)}`);

  async function pickPair(): Promise<Pair> {
    const accountId = await need('account.second', 'experiences.unconnected', 'write', 'bodies.connectionCreate');
    return { accountId, experienceId: await (await need('experiences.unconnected'))() };
  }

  async function create(values: Partial<Pair> & { readonly state?: string | undefined }): Promise<Answer> {
    await need('write');
    const template = await need('bodies.connectionCreate');
    const body = fillTemplate(template, findPlaceholder(template, 'state') === 'required' ? { state: 'INACTIVE', ...values } : values);
    const answer = await api.call('createExperienceConnection', { token: await need('token'), body });
    // Delete the connection after the check, even if the target should have refused to create it.
    if (isSuccess(answer)) {
      const { accountId = await need('account.second'), experienceId = '' } = values;
      const created = await findCreated(answer, { accountId, experienceId }).catch(() => undefined);
      if (created) ledger.addConnection(created.id);
    }
    return answer;
  }

  /** @throws RuleBroken if neither the response nor the list contains the id */
  async function findCreated(answer: Answer, created: Pair): Promise<ConnectionKey> {
    const id = (answer.json as ConnectionInResponse | undefined)?.id;
    if (typeof id === 'string') return { id, ...created };
    return expectEffect(answer, async () => {
      const list = await api.call('getExperienceConnections', { token: await need('token'), query: created });
      expectStatus(list, 200);
      const { entities = [] } = (list.json ?? {}) as { entities?: ConnectionInResponse[] };
      const found = entities.find(({ experienceId }) => experienceId === undefined || isSameId(experienceId, created.experienceId));
      must(typeof found?.id === 'string', 'the list contains the new connection with its id', list);
      return { id: found.id, ...created };
    });
  }

  /** @throws Error if the target refuses; a refusal does not break the rule under test */
  async function createOrThrow({ accountId, state }: { accountId?: string; state?: State } = {}): Promise<ConnectionKey> {
    return createBetween({ ...(await pickPair()), ...(accountId !== undefined && { accountId }) }, state);
  }

  /** @param requested the state in the request, which the target may ignore; `state` is ensured by an update */
  async function createBetween(pair: Pair, state?: State, requested = state): Promise<ConnectionKey> {
    const answer = await create({ ...pair, state: requested });
    if (!isSuccess(answer)) throw createRefusalError('a connection', answer);
    const key = await findCreated(answer, pair).catch((error: Error) => Promise.reject(new Error(error.message)));
    if (getMaxRequestEffectDelayMs(answer) > 0)
      await expectEffect(answer, async () => must((await read(key)).status === 200, 'the connection exists')).catch(() =>
        Promise.reject(createRefusalError('a connection', answer)),
      );
    if (state !== undefined && (await readState(key)) !== state) await setState(key, state);
    return key;
  }

  async function update({ id, ...values }: ConnectionKey, state: string): Promise<Answer> {
    await need('write');
    const body = fillTemplate(await need('bodies.connectionUpdate'), { ...values, state });
    return api.call('updateExperienceConnection', { token: await need('token'), path: { experienceConnectionId: id }, body });
  }

  const read = async ({ id }: Key) =>
    api.call('getExperienceConnection', { token: await need('token'), path: { experienceConnectionId: id } });

  async function remove({ id }: Key): Promise<Answer> {
    await need('write');
    const answer = await api.call('deleteExperienceConnection', { token: await need('token'), path: { experienceConnectionId: id } });
    if (isSuccess(answer)) ledger.markDeleted(id);
    return answer;
  }

  /** Ends the check as not testable if the update fails. */
  async function setState(key: ConnectionKey, state: State): Promise<void> {
    const what = `an update that makes a connection ${state}`;
    const answer = requireSuccess(what, await update(key, state));
    await expectEffect(answer, async () => must((await readState(key)) === state, `the connection is ${state}`)).catch(
      onRuleBroken(() => endAsNotTestable(`a connection does not become ${state}, although its update succeeded`)),
    );
  }

  /** Ends the check as not testable if the deletion fails. */
  async function deleteConnection(key: Key): Promise<void> {
    const answer = requireSuccess('a deleted connection', await remove(key));
    await expectEffect(answer, async () => must((await read(key)).status === 404, 'the connection is gone')).catch(
      onRuleBroken(() => endAsNotTestable('a connection still exists, although its deletion succeeded')),
    );
  }

  /**
   * @returns a function that deletes the assignment
   * @throws Error if the assignment is refused
   */
  async function assign({ experienceId }: Pair, targetType: TargetType, targetValue: string): Promise<() => Promise<void>> {
    const assignments = createAssignments(api, need, ledger);
    const { id } = await assignments.createOrThrow({ experienceId, targetType, targetValue });
    return async () => {
      const answer = await assignments.remove(id);
      if (!isSuccess(answer)) throw createRefusalError('a deleted assignment', answer);
    };
  }

  async function readExisting(key: Key): Promise<ConnectionInResponse> {
    const answer = await read(key);
    if (answer.status !== 200) throw createRefusalError('a connection that can be read', answer);
    return answer.json as ConnectionInResponse;
  }

  const readState = async (key: Key) =>
    (await readExisting(key)).state ?? endAsNotTestable('the target does not show the state of a connection');

  const snapshot = async (key: Key) => serializeDocumentedMembers(await readExisting(key));

  /** @throws RuleBroken */
  async function expectUnchanged(key: Key, before: string): Promise<void> {
    const answer = await read(key);
    const after = serializeDocumentedMembers(expectSuccess<ConnectionInResponse>(answer, 200));
    must(after === before, `the connection is still ${before}, not ${after}`, answer);
  }

  async function find(query: Query, key: Pair & { id?: string }, token?: string) {
    const pages = await requestAllPages(api, 'getExperienceConnections', { token: token ?? (await need('token')), query });
    const found: ConnectionInResponse | undefined = pages.flatMap(({ entities }) => entities).find((each) => isConnection(each, key));
    return { found, answer: pages.at(-1)?.answer };
  }

  /** @throws RuleBroken */
  async function expectListed(query: Query, key: Pair & { id?: string }): Promise<ConnectionInResponse> {
    const { found, answer } = await find(query, key);
    must(found, 'the list contains the connection', answer);
    return found;
  }

  /** @throws RuleBroken */
  async function expectNotListed(query: Query, key: Pair & { id?: string }, token?: string): Promise<void> {
    const { found, answer } = await find(query, key, token);
    must(found === undefined, 'the list does not contain the connection', answer);
  }

  /** @throws RuleBroken if either response does not contain the connection */
  async function expectReadAndListed(key: ConnectionKey): Promise<readonly [ConnectionInResponse, ConnectionInResponse]> {
    const shownAlone = expectSuccess<ConnectionInResponse>(await read(key), 200);
    return [shownAlone, await expectListed({ accountId: key.accountId }, key)];
  }

  return {
    ...{ pickPair, create, findCreated, createOrThrow, createBetween, update, read, readState, remove, setState },
    ...{ deleteConnection, assign, snapshot, expectUnchanged, expectListed, expectNotListed, expectReadAndListed },
  };
}
