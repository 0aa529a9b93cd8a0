import type { PathForm } from '../contract/generated/operations.ts';
import { type HostileValue, list } from '../refusals/hostile-value.ts';
import { HOSTILE_MEMBERS, HOSTILE_STATES, HOSTILE_UUIDS, UNKNOWN_UUID } from '../refusals/hostile-values.ts';
import type { Decks } from './decks.ts';
import { drawInvalidValue } from './invalid-values.ts';
import { TYPES_OF } from './looks.ts';
import type { Probe, TokenName } from './side.ts';
import type { World } from './world.ts';

interface Context {
  readonly world: World;
  readonly form: PathForm;
  readonly pick: <Item>(items: readonly Item[]) => Item;
  readonly chance: (probability: number) => boolean;
  readonly decks: Decks;
}

/** How often each kind of change is tried. */
const WEIGHTS = { assignment: 5, connection: 2, state: 2, body: 1, gone: 2, forbidden: 2, conflict: 5 };
/** JSON values that a server cannot take for an id or a number that belongs to nothing. */
const STRUCTURES = HOSTILE_MEMBERS.filter(({ value }) => typeof value === 'object');
/** Bodies that are not objects. */
const HOSTILE_BODIES = list<unknown>('is not an object', null, [], 'text', 1, true);

/** A change that the model refuses. @returns undefined if the world has nothing to change */
export function createChangeProbe({ world, form, pick, chance, decks }: Context): Probe | undefined {
  const probes = {
    assignment: probeAssignment,
    connection: probeConnection,
    state: probeState,
    body: probeBody,
    gone: probeGone,
    forbidden: probeForbidden,
    conflict: probeConflict,
  };
  return probes[decks.drawWeighted('kinds of refused changes', WEIGHTS)]();

  function probeAssignment(): Probe | undefined {
    const [member, targetType] = decks.draw('members of assignments', ASSIGNMENT_MEMBERS);
    const target = pick(world.targets.filter(({ type }) => targetType === undefined || type === targetType));
    if (target === undefined) return undefined;
    const valid = { experienceId: pick(world.experiences), targetType: target.type, targetValue: target.name };
    const { [member]: _, ...rest } = valid;
    const deck = `${member} ${targetType}`;
    const nativeId =
      member === 'targetValue'
        ? pick(world.targets.flatMap(({ type, nativeIds = [] }) => (type === targetType ? nativeIds : [])))
        : undefined;
    const kind = decks.drawWeighted(`faults of ${deck}`, { text: 6, json: 2, array: 1, absent: 1, native: nativeId === undefined ? 0 : 1 });
    const values = {
      native: () => nativeId,
      // The document does not say how a request writes the id of an Experience, so these contain no existing one.
      text: () => (member === 'experienceId' ? decks.drawValue(deck, HOSTILE_UUIDS) : drawInvalidValue(decks, member, valid)),
      json: () =>
        decks.drawValue<unknown>(
          `${deck} in JSON`,
          member === 'experienceId' || targetType === 'PHONE_NUMBER' ? STRUCTURES : HOSTILE_MEMBERS,
        ),
      array: () => [valid[member]],
    };
    const body = kind === 'absent' ? rest : { ...valid, [member]: values[kind]() };
    return create('createExperienceAssignment', body);
  }

  function probeConnection(): Probe | undefined {
    const valid = { accountId: pick(world.accounts), experienceId: pick(world.cast.experiences) };
    const member = decks.draw('members of connections', [
      ...(Object.keys(valid) as (keyof typeof valid)[]),
      ...(world.cast.hasInitialState ? (['state'] as const) : []),
    ]);
    const values: readonly HostileValue<unknown>[] =
      member === 'state' ? HOSTILE_STATES.filter(({ value }) => value !== null) : chance(0.3) ? STRUCTURES : HOSTILE_UUIDS;
    const body = { ...valid, [member]: decks.drawValue(`${member} of connections`, values) };
    return create('createExperienceConnection', body);
  }

  function probeState(): Probe | undefined {
    const name = pick([...world.connections.keys()]);
    if (name === undefined) return undefined;
    const states: readonly HostileValue<unknown>[] = [...HOSTILE_STATES, ...list('is an array of a state', ['ACTIVE'], ['INACTIVE'])];
    const body = { state: decks.drawValue('states', states) };
    return updateConnection(name, body);
  }

  function probeBody(): Probe | undefined {
    const operations = ['createExperienceAssignment', 'createExperienceConnection', 'updateExperienceConnection'] as const;
    const operation = decks.draw('operations with a body', operations);
    const body = decks.drawValue(`bodies of ${operation}`, HOSTILE_BODIES);
    const name = pick([...world.connections.keys()]);
    if (operation !== 'updateExperienceConnection') return create(operation, body);
    return name === undefined ? undefined : updateConnection(name, body);
  }

  /** What was deleted cannot be changed. */
  function probeGone(): Probe | undefined {
    const [name, kind] = pick([...world.gone]) ?? [];
    if (name === undefined || kind === undefined) return undefined;
    if (kind === 'user' || kind === 'number' || kind === 'account') {
      const body = { experienceId: pick(world.experiences), targetType: TYPES_OF[kind], targetValue: name };
      return create('createExperienceAssignment', body);
    }
    const as = decks.draw('who changes what is gone', world.cast.tokens);
    if (kind === 'assignment') return changeAssignment(name, as);
    return changeConnection(name, as, pick([undefined, 'ACTIVE', 'INACTIVE']));
  }

  /** A change that conflicts with an existing entity, whoever has created or changed that entity. */
  function probeConflict(): Probe | undefined {
    const numbers = [...world.assignments.values()].filter(({ target }) => target.type === 'PHONE_NUMBER');
    const connections = [...world.connections].map(([name, connection]) => ({ ...connection, name }));
    const conflicts = {
      exists: connections.map(({ account, experience }) =>
        create('createExperienceConnection', { accountId: account, experienceId: experience }),
      ),
      state: connections.flatMap(({ name, state }) => (state === undefined ? [] : changeConnection(name, 'manager', state))),
      numbers: connections
        .filter((each) => numbers.some(({ experience, target }) => experience === each.experience && target.account === each.account))
        .map(({ name }) => changeConnection(name, 'manager', undefined)),
      agent: numbers.flatMap(({ experience, target: { type, name } }) => {
        const experienceId = world.findRivalAgent(experience);
        return experienceId === undefined
          ? []
          : create('createExperienceAssignment', { experienceId, targetType: type, targetValue: name });
      }),
    };
    const kinds = (Object.keys(conflicts) as (keyof typeof conflicts)[]).filter((kind) => conflicts[kind].length > 0);
    return kinds.length === 0 ? undefined : pick(conflicts[decks.draw(`conflicts: ${kinds}`, kinds)]);
  }

  /** A change by somebody who may only read, or see nothing. Nothing else prevents it. */
  function probeForbidden(): Probe | undefined {
    const kind = decks.draw('forbidden changes', ['assign', 'unassign', 'update', 'delete'] as const);
    const as = decks.draw(
      `who may not ${kind}`,
      world.cast.tokens.filter((token) => token !== 'manager'),
    );
    if (as === undefined) return undefined;
    if (kind === 'assign') {
      const target = pick(world.targets.filter(({ account }) => world.cast.accounts.includes(account)));
      const experienceId = chance(0.3) ? UNKNOWN_UUID : pick(world.experiences);
      const body = { experienceId, targetType: target.type, targetValue: target.name };
      return create('createExperienceAssignment', body, as);
    }
    const isKnown = (name: string) => !world.isOfNewAccount(name);
    if (kind === 'unassign') {
      const name = pick([...world.assignments.keys()].filter(isKnown));
      return name === undefined ? undefined : changeAssignment(name, as);
    }
    const assigned = [...world.assignments.values()].filter(({ target }) => target.type === 'PHONE_NUMBER');
    const hasNumbers = (id: string) => assigned.some(({ experience }) => experience === id);
    const suitable = [...world.connections].filter(
      ([name, { state, experience }]) => isKnown(name) && (kind === 'update' ? state !== undefined : !hasNumbers(experience)),
    );
    const wanted = decks.draw(`states to ${kind}`, ['ACTIVE', 'INACTIVE'] as const);
    const [name, connection] = pick(suitable.filter(([, { state }]) => state === wanted)) ?? pick(suitable) ?? [];
    if (name === undefined) return undefined;
    // Who may not update a connection learns nothing about its state.
    const other = connection?.state === 'ACTIVE' ? 'INACTIVE' : 'ACTIVE';
    return changeConnection(name, as, kind === 'delete' ? undefined : chance(0.3) ? connection?.state : other);
  }

  function create(operation: 'createExperienceAssignment' | 'createExperienceConnection', body: unknown, as: TokenName = 'manager'): Probe {
    return { operation, request: { body, as, form } };
  }

  function changeAssignment(name: string, as: TokenName): Probe {
    return { operation: 'deleteExperienceAssignment', request: { path: { assignmentId: name }, as, form } };
  }

  function updateConnection(name: string, body: unknown, as: TokenName = 'manager'): Probe {
    return { operation: 'updateExperienceConnection', request: { path: { experienceConnectionId: name }, body, as, form } };
  }

  /** @param state undefined to delete the connection */
  function changeConnection(name: string, as: TokenName, state: string | undefined): Probe {
    if (state !== undefined) return updateConnection(name, { state }, as);
    return { operation: 'deleteExperienceConnection', request: { path: { experienceConnectionId: name }, as, form } };
  }
}

/** A member, and the type of the target whose value it is. */
const ASSIGNMENT_MEMBERS = [
  ['experienceId', undefined],
  ['targetType', undefined],
  ['targetValue', 'PHONE_NUMBER'],
  ['targetValue', 'USER'],
  ['targetValue', 'ACCOUNT'],
] as const;
