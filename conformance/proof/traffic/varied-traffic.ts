import { setTimeout as pause } from 'node:timers/promises';
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

interface TrafficOptions {
  /** The URL of the API, or of the proxy in front of it. */
  readonly baseUrl: string;
  readonly profile: Profile;
  /** Prepares users and telephone numbers. */
  readonly hooks: Pick<HookCalls, 'call'>;
  readonly seed: number;
  /** The longest pause of a client between two actions, in milliseconds. */
  readonly pauseMs?: number;
  /** Ends the traffic. */
  readonly isOver: () => boolean;
}

const PAGE_SIZES = [undefined, 1, 2, 3, 7, 100];
/** Sends what integrations send: three clients read and change the same accounts, each at its own pace, and look at what they have changed. */
export async function sendVariedTraffic({ baseUrl, profile, hooks, seed, pauseMs = 20, isOver }: TrafficOptions): Promise<void> {
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
  const run = (token: string, index: number) => {
    const random = createRandom(seed * 10 + index);
    const below = (count: number) => Math.floor(random() * count);
    const pick = <T>(items: readonly T[]): T => items[below(items.length)]!;
    const client = createClient({ baseUrl, form: 'prefixed', headers: {}, timeoutMs: 20_000, recordExchange: () => {} });
    const call = (operation: Parameters<typeof client.call>[0], options: CallOptions) =>
      client.callOnce(operation, { token, form: pick(['prefixed', 'flat'] as const), ...options });
    const known = { connections: [] as string[], assignments: [] as string[] };

    async function list(operation: 'getUsers' | 'getExperienceAssignments' | 'getExperienceConnections', query: Json): Promise<Json[]> {
      const pageSize = pick(PAGE_SIZES);
      const form = pick(['prefixed', 'flat'] as const);
      const found: Json[] = [];
      let cursor: string | undefined;
      for (let pages = 0; pages < 40; pages += 1) {
        const answer = await call(operation, { form, query: { ...query, pageSize, cursor } as CallOptions['query'] & {} });
        const page = Object(answer.json) as { entities?: Json[]; cursor?: string | null };
        found.push(...(page.entities ?? []));
        cursor = page.cursor ?? undefined;
        if (!isSuccess(answer) || cursor === undefined) break;
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
    const findId = ({ json }: Answer): string | undefined => {
      const { id, connection } = Object(json) as { id?: string; connection?: { id?: string } };
      return id ?? connection?.id;
    };
    const checkTarget = ({ type, value }: Target, experienceId: string) =>
      call('getExperienceAssignability', { path: { experienceId }, query: { targetType: type, targetValue: value } });

    async function lookAround(target: Target, experienceId: string): Promise<void> {
      for (const look of [
        () => list('getExperienceAssignments', assignmentFilters(target, experienceId)),
        () => list('getExperienceConnections', connectionFilters(target.accountId, experienceId)),
        () => checkTarget(target, experienceId),
        () =>
          known.connections.length > 0 && call('getExperienceConnection', { path: { experienceConnectionId: pick(known.connections) } }),
        () => known.assignments.length > 0 && call('getExperienceAssignment', { path: { assignmentId: pick(known.assignments) } }),
      ])
        if (random() < 0.5) await look();
    }

    const actions = {
      async assign() {
        const [target, experienceId] = [pick(targets), pick(ids)];
        if (random() < 0.4) await checkTarget(target, experienceId);
        const body = { experienceId, targetType: target.type, targetValue: target.value };
        const answer = await call('createExperienceAssignment', { body });
        const assignmentId = findId(answer);
        if (assignmentId !== undefined) {
          known.assignments.push(assignmentId);
          if (random() < 0.6) await call('getExperienceAssignment', { path: { assignmentId } });
          if (random() < 0.3) await call('createExperienceAssignment', { body });
        }
        await lookAround(target, experienceId);
      },
      async unassign() {
        const { accountId } = pick(targets);
        const found = await list('getExperienceAssignments', { accountId });
        if (found.length === 0) return;
        const entity = pick(found) as { id: string; experienceId: string; targetType: Target['type']; targetValue: string };
        const path = { assignmentId: entity.id };
        await call('getExperienceAssignment', { path });
        const answer = await call('deleteExperienceAssignment', { path });
        if (random() < 0.5) await call('getExperienceAssignment', { path });
        if (random() < 0.3) await call('deleteExperienceAssignment', { path });
        await lookAround({ type: entity.targetType, value: entity.targetValue, accountId }, entity.experienceId);
        if (isSuccess(answer) && random() < 0.3)
          await call('createExperienceAssignment', {
            body: { experienceId: entity.experienceId, targetType: entity.targetType, targetValue: entity.targetValue },
          });
      },
      async connect() {
        const [accountId, experienceId] = [pick(names), pick(ids)];
        const body = fillTemplate(bodies?.connectionCreate ?? { accountId: '{{accountId}}', experienceId: '{{experienceId}}' }, {
          accountId,
          experienceId,
        });
        const answer = await call('createExperienceConnection', { body });
        const id = findId(answer);
        if (id !== undefined) {
          known.connections.push(id);
          if (random() < 0.6) await call('getExperienceConnection', { path: { experienceConnectionId: id } });
          if (random() < 0.3) await call('createExperienceConnection', { body });
        }
        await lookAround(pick(targets.filter((each) => each.accountId === accountId)), experienceId);
      },
      async update() {
        const accountId = pick(names);
        const found = await list('getExperienceConnections', { accountId });
        if (found.length === 0) return;
        const entity = pick(found) as { id: string; experienceId: string; state: string };
        const path = { experienceConnectionId: entity.id };
        known.connections.push(entity.id);
        await call('getExperienceConnection', { path });
        const put = (state: string) =>
          call('updateExperienceConnection', { path, body: fillTemplate(bodies?.connectionUpdate ?? { state: '{{state}}' }, { state }) });
        const states = ['ACTIVE', 'INACTIVE'];
        for (let count = 1 + below(3); count > 0; count -= 1) {
          await put(pick(states));
          if (random() < 0.7) await call('getExperienceConnection', { path });
        }
        if (random() < 0.1) await put('paused');
        await lookAround(pick(targets.filter((each) => each.accountId === accountId)), entity.experienceId);
      },
      async disconnect() {
        const accountId = pick(names);
        const found = await list('getExperienceConnections', { accountId });
        if (found.length === 0) return;
        const entity = pick(found) as { id: string; experienceId: string };
        const path = { experienceConnectionId: entity.id };
        await call('getExperienceConnection', { path });
        await list('getExperienceAssignments', { accountId, experienceId: entity.experienceId, targetType: 'PHONE_NUMBER' });
        await call('deleteExperienceConnection', { path });
        if (random() < 0.5) await call('getExperienceConnection', { path });
        if (random() < 0.3) await call('deleteExperienceConnection', { path });
        await lookAround(pick(targets.filter((each) => each.accountId === accountId)), entity.experienceId);
      },
      async people() {
        const accountId = pick([...names, accounts!.manyUsers ?? names[0]!]);
        const { fields = {}, ascending, descending } = users?.sort ?? {};
        const sort = random() < 0.5 ? { sortBy: pick(Object.values(fields)), sortOrder: pick([ascending, descending]) } : {};
        const found = await list('getUsers', { accountId, ...sort });
        const native = [users?.base62, users?.legacyNumeric].flatMap((each) => (each ? [each.nativeId] : []));
        for (const userId of [...(found.length > 0 ? [pick(found).id as string] : []), ...native, UNKNOWN_ID])
          if (random() < 0.5) await call('getUser', { path: { userId } });
      },
      async hidden() {
        const [accountId, experienceId] = [
          accounts!.hidden ?? UNKNOWN_ID,
          pick([experiences!.hidden ?? UNKNOWN_ID, experiences!.readOnly ?? UNKNOWN_ID]),
        ];
        await list('getUsers', { accountId });
        if (users?.hidden) await call('getUser', { path: { userId: users.hidden } });
        await checkTarget(pick(targets), experienceId);
        await list('getExperienceConnections', { accountId });
      },
      async blunder() {
        const [operation, create] = pick(BLUNDERS);
        await call(operation, create(pick(names), pick(ids)));
        const withoutScope = Object.values(tokens.withoutScope ?? {});
        if (random() < 0.3)
          await call('getUser', { path: { userId: pick(targets).value }, token: pick([undefined, 'invalid', ...withoutScope]) as string });
      },
    };
    const usual = [
      actions.assign,
      actions.assign,
      actions.unassign,
      actions.connect,
      actions.connect,
      actions.update,
      actions.update,
      actions.disconnect,
      actions.people,
      actions.hidden,
      actions.blunder,
    ];
    return (async () => {
      while (!isOver()) {
        await pick(usual)();
        await pause(below(pauseMs));
      }
    })();
  };
  await Promise.all([full!, other!, reader!].map(run));
}

/** Returns numbers from 0 to 1 (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
