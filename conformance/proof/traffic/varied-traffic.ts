import { setTimeout as pause } from 'node:timers/promises';
import { ASSIGNMENTS, CONNECTIONS, type Resource } from '../../../src/checks/service/resources.ts';
import { randomAt } from '../../../src/clock/random.ts';
import type { OperationId } from '../../../src/contract/generated/operations.ts';
import type { Profile } from '../../../src/contract/generated/profile.ts';
import type { Answer } from '../../../src/expect/answer.ts';
import { isSuccess } from '../../../src/expect/response.ts';
import { type CallOptions, createClient } from '../../actors/api-client.ts';
import type { HookCalls } from '../../target/hook-calls.ts';
import { fillTemplate } from '../../target/template.ts';
import { BLUNDERS, UNKNOWN_ID } from './blunders.ts';

type Json = Record<string, unknown>;

interface Target {
  readonly type: 'ACCOUNT' | 'USER' | 'PHONE_NUMBER';
  readonly value: string;
  readonly accountId: string;
}

type Entity = { readonly id: string; readonly experienceId: string; readonly targetType: Target['type']; readonly targetValue: string };

interface TrafficOptions {
  /** The URL of the API, or of the proxy in front of it. */
  readonly baseUrl: string;
  readonly profile: Profile;
  /** Prepares users and telephone numbers. */
  readonly hooks: Pick<HookCalls, 'call'>;
  /** Ends the traffic. */
  readonly isOver: () => boolean;
}

/** Each of the clients has its own sequence of random numbers. */
const SEED = 10;
const PAGE_SIZES = [undefined, 1, 2, 3, 7, 100];

/** Sends what integrations send: three clients read and change the same accounts, each at its own pace, and look at what they have changed. */
export async function sendVariedTraffic({ baseUrl, profile, hooks, isOver }: TrafficOptions): Promise<void> {
  const { tokens, accounts, experiences, users, numberOfSecondAccount, bodies } = profile as Required<Profile>;
  const names = [accounts!.main, accounts!.second] as string[];
  const ids = [experiences!.main, experiences!.second, experiences!.agent, experiences!.secondAgent] as string[];
  const targets: Target[] = names.map((accountId) => ({ type: 'ACCOUNT', value: accountId, accountId }));
  targets.push({ type: 'PHONE_NUMBER', value: numberOfSecondAccount!, accountId: names[1]! });
  for (const accountId of [names[0]!, names[0]!, names[0]!, names[1]!]) {
    targets.push({ type: 'PHONE_NUMBER', value: await hooks.call('numbers', accountId), accountId });
    targets.push({ type: 'USER', value: await hooks.call('users', accountId), accountId });
  }
  const [full, reader, other] = [tokens.full, tokens.reader, tokens.secondCredential ?? tokens.full] as string[];
  const run = async (token: string, client: number) => {
    let drawn = 0;
    const random = () => randomAt(SEED + client, drawn++);
    const below = (count: number) => Math.floor(random() * count);
    const pick = <T>(items: readonly T[]): T => items[below(items.length)]!;
    const pickForm = () => pick(['prefixed', 'flat'] as const);
    const { callOnce } = createClient({ baseUrl, form: 'prefixed', headers: {}, timeoutMs: 20_000, recordExchange: () => {} });
    const call = (operation: OperationId, options: CallOptions) => callOnce(operation, { token, form: pickForm(), ...options });
    const callWithId = (operation: OperationId, id: string, body?: unknown) =>
      call(operation, { path: { assignmentId: id, experienceConnectionId: id, userId: id }, ...(body !== undefined && { body }) });
    const known = new Map<Resource, string[]>([CONNECTIONS, ASSIGNMENTS].map((resource) => [resource, []]));

    async function list(operation: OperationId, query: Json): Promise<Json[]> {
      let pageSize = pick(PAGE_SIZES);
      const form = pickForm();
      const found: Json[] = [];
      let cursor: string | undefined;
      for (let pages = 0; pages < 40; pages += 1) {
        const answer = await call(operation, { form, query: { ...query, pageSize, cursor } as CallOptions['query'] & {} });
        const page = Object(answer.json) as { entities?: Json[]; cursor?: string | null };
        found.push(...(page.entities ?? []));
        cursor = page.cursor ?? undefined;
        if (!isSuccess(answer) || cursor === undefined) break;
        if (operation === 'getUsers' && random() < 0.2) pageSize = pick(PAGE_SIZES);
      }
      return found;
    }

    const assignmentFilters = ({ type, value, accountId }: Target, experienceId: string): Json =>
      pick([
        { accountId },
        { accountId, experienceId },
        { accountId, targetType: type },
        { accountId, experienceId, targetType: type },
        { targetType: type, targetValue: value },
      ]);
    const connectionFilters = (accountId: string, experienceId: string): Json => {
      const number = targets.find((each) => each.type === 'PHONE_NUMBER' && each.accountId === accountId)!.value;
      return pick([
        { accountId },
        { accountId, experienceId },
        { telephoneNumber: number },
        { tn: number },
        { telephoneNumber: number, experienceId },
        { tn: number, experienceId },
      ]);
    };
    const checkTarget = ({ type, value }: Target, experienceId: string) =>
      call('getExperienceAssignability', { path: { experienceId }, query: { targetType: type, targetValue: value } });
    const pickTargetOf = (accountId: string) => pick(targets.filter((each) => each.accountId === accountId));
    const readKnown = (resource: Resource) => async () => {
      const ids = known.get(resource)!;
      if (ids.length > 0) await callWithId(resource.get, pick(ids));
    };

    async function lookAround(target: Target, experienceId: string): Promise<void> {
      for (const look of [
        () => list(ASSIGNMENTS.list, assignmentFilters(target, experienceId)),
        () => list(CONNECTIONS.list, connectionFilters(target.accountId, experienceId)),
        () => checkTarget(target, experienceId),
        readKnown(CONNECTIONS),
        readKnown(ASSIGNMENTS),
      ])
        if (random() < 0.5) await look();
    }

    async function create(resource: Resource, body: unknown): Promise<void> {
      // Somebody clicks twice.
      const [answer] = await Promise.all(Array.from({ length: random() < 0.1 ? 2 : 1 }, () => call(resource.create, { body })));
      const { id, connection } = Object(answer!.json) as { id?: string; connection?: { id?: string } };
      const found = id ?? connection?.id;
      if (found === undefined) return;
      known.get(resource)!.push(found);
      if (random() < 0.6) await callWithId(resource.get, found);
      if (random() < 0.3) await call(resource.create, { body });
    }

    async function remove({ get, remove }: Resource, id: string): Promise<Answer> {
      const answer = await callWithId(remove, id);
      if (random() < 0.5) await callWithId(get, id);
      if (random() < 0.3) await callWithId(remove, id);
      return answer;
    }

    /** Returns an entity that the list of an account contains, after a read of it. */
    async function findAny(resource: Resource, accountId: string): Promise<Entity | undefined> {
      const found = await list(resource.list, { accountId });
      if (found.length === 0) return undefined;
      const entity = pick(found) as unknown as Entity;
      if (resource === CONNECTIONS) known.get(resource)!.push(entity.id);
      await callWithId(resource.get, entity.id);
      return entity;
    }

    async function assign() {
      const [target, experienceId] = [pick(targets), pick(ids)];
      if (random() < 0.4) await checkTarget(target, experienceId);
      await create(ASSIGNMENTS, { experienceId, targetType: target.type, targetValue: target.value });
      await lookAround(target, experienceId);
    }
    async function unassign() {
      const { accountId } = pick(targets);
      const found = await findAny(ASSIGNMENTS, accountId);
      if (!found) return;
      const { id, experienceId, targetType, targetValue } = found;
      const answer = await remove(ASSIGNMENTS, id);
      await lookAround({ type: targetType, value: targetValue, accountId }, experienceId);
      if (isSuccess(answer) && random() < 0.3) await call(ASSIGNMENTS.create, { body: { experienceId, targetType, targetValue } });
    }
    async function connect() {
      const [accountId, experienceId] = [pick(names), pick(ids)];
      const template = bodies?.connectionCreate ?? { accountId: '{{accountId}}', experienceId: '{{experienceId}}' };
      await create(CONNECTIONS, fillTemplate(template, { accountId, experienceId }));
      await lookAround(pickTargetOf(accountId), experienceId);
    }
    async function update() {
      const accountId = pick(names);
      const found = await findAny(CONNECTIONS, accountId);
      if (!found) return;
      const put = (state: string) =>
        callWithId('updateExperienceConnection', found.id, fillTemplate(bodies?.connectionUpdate ?? { state: '{{state}}' }, { state }));
      for (let count = 1 + below(3); count > 0; count -= 1) {
        await put(pick(['ACTIVE', 'INACTIVE']));
        if (random() < 0.7) await callWithId(CONNECTIONS.get, found.id);
      }
      if (random() < 0.1) await put('paused');
      await lookAround(pickTargetOf(accountId), found.experienceId);
    }
    async function disconnect() {
      const accountId = pick(names);
      const found = await findAny(CONNECTIONS, accountId);
      if (!found) return;
      const { id, experienceId } = found;
      await list(ASSIGNMENTS.list, { accountId, experienceId, targetType: 'PHONE_NUMBER' });
      await remove(CONNECTIONS, id);
      await lookAround(pickTargetOf(accountId), experienceId);
    }
    async function lookAtPeople() {
      const accountId = pick([...names, accounts!.manyUsers ?? names[0]!]);
      const { fields = {}, ascending, descending } = users?.sort ?? {};
      const sort = random() < 0.5 ? { sortBy: pick(Object.values(fields)), sortOrder: pick([ascending, descending]) } : {};
      const found = await list('getUsers', { accountId, ...sort });
      const native = [users?.base62, users?.legacyNumeric].flatMap((each) => (each ? [each.nativeId] : []));
      for (const userId of [...(found.length > 0 ? [pick(found).id as string] : []), ...native, UNKNOWN_ID])
        if (random() < 0.5) await callWithId('getUser', userId);
    }
    async function lookAtHidden() {
      const { hidden: accountId = UNKNOWN_ID } = accounts!;
      const experienceId = pick([experiences!.hidden ?? UNKNOWN_ID, experiences!.readOnly ?? UNKNOWN_ID]);
      await list('getUsers', { accountId });
      if (users?.hidden) await callWithId('getUser', users.hidden);
      await checkTarget(pick(targets), experienceId);
      await list(CONNECTIONS.list, { accountId });
    }
    async function blunder() {
      const [operation, createCall] = pick(BLUNDERS);
      await call(operation, createCall(pick(names), pick(ids)));
      const unusable = [undefined, 'invalid', ...Object.values(tokens.withoutScope ?? {})];
      if (random() < 0.3) await call('getUser', { path: { userId: pick(targets).value }, token: pick(unusable) as string });
    }

    const usual = [assign, assign, unassign, connect, connect, update, update, disconnect, lookAtPeople, lookAtHidden, blunder];
    while (!isOver()) {
      await pick(usual)();
      await pause(below(20));
    }
  };
  await Promise.all([full!, other!, reader!].map(run));
}
