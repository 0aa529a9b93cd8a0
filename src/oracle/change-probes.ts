import type { PathForm } from '../contract/generated/operations.ts';
import type { HostileValue } from '../refusals/hostile-value.ts';
import { HOSTILE_MEMBERS, HOSTILE_STATES, HOSTILE_UUIDS } from '../refusals/hostile-values.ts';
import { listInvalidValues } from './invalid-values.ts';
import { TYPES_OF } from './looks.ts';
import type { Probe, TokenName } from './side.ts';
import type { World } from './world.ts';

interface Context {
  readonly world: World;
  readonly form: PathForm;
  readonly pick: <Item>(items: readonly Item[]) => Item;
  readonly chance: (probability: number) => boolean;
}

/** A change that the model refuses. @returns undefined if the world has nothing to change */
export function createChangeProbe({ world, form, pick, chance }: Context): Probe | undefined {
  const probes = [...[probeAssignment, probeAssignment, probeAssignment, probeConnection], ...[probeState, probeGone, probeForbidden]];
  return pick(probes)();

  function probeAssignment(): Probe | undefined {
    const { type, name } = pick(world.targets);
    const valid = { experienceId: pick(world.experiences), targetType: type, targetValue: name };
    const member = pick(Object.keys(valid)) as keyof typeof valid;
    const { [member]: _, ...rest } = valid;
    const texts = listInvalidValues(member, valid);
    const body = chance(0.1)
      ? rest
      : {
          ...valid,
          [member]: pick<HostileValue<unknown>>(chance(0.3) ? [...HOSTILE_MEMBERS, { value: [valid[member]], flaw: '' }] : texts).value,
        };
    return { operation: 'createExperienceAssignment', request: { body, as: 'manager', form } };
  }

  function probeConnection(): Probe | undefined {
    const valid = { accountId: pick(world.accounts), experienceId: pick(world.cast.experiences) };
    const member = pick([...(Object.keys(valid) as (keyof typeof valid)[]), ...(world.cast.hasInitialState ? (['state'] as const) : [])]);
    const values: readonly HostileValue<unknown>[] =
      member === 'state' ? HOSTILE_STATES.filter(({ value }) => value !== null) : chance(0.3) ? HOSTILE_MEMBERS : HOSTILE_UUIDS;
    return { operation: 'createExperienceConnection', request: { body: { ...valid, [member]: pick(values).value }, as: 'manager', form } };
  }

  function probeState(): Probe | undefined {
    const name = pick([...world.connections.keys()]);
    if (name === undefined) return undefined;
    const states: readonly HostileValue<unknown>[] = [
      ...HOSTILE_STATES,
      { value: ['ACTIVE'], flaw: '' },
      { value: ['INACTIVE'], flaw: '' },
    ];
    return {
      operation: 'updateExperienceConnection',
      request: { path: { experienceConnectionId: name }, body: { state: pick(states).value }, as: 'manager', form },
    };
  }

  /** What was deleted cannot be changed. */
  function probeGone(): Probe | undefined {
    const [name, kind] = pick([...world.gone]) ?? [];
    if (name === undefined || kind === undefined) return undefined;
    if (kind === 'user' || kind === 'number' || kind === 'account') {
      const body = { experienceId: pick(world.experiences), targetType: TYPES_OF[kind], targetValue: name };
      return { operation: 'createExperienceAssignment', request: { body, as: 'manager', form } };
    }
    if (kind === 'assignment') return changeAssignment(name, 'manager');
    return changeConnection(name, 'manager', pick([undefined, 'ACTIVE', 'INACTIVE']));
  }

  /** A change by somebody who may only read, or see nothing. Nothing else prevents it. */
  function probeForbidden(): Probe | undefined {
    const as = pick(world.cast.tokens.filter((token) => token !== 'manager'));
    if (as !== undefined && chance(0.4)) {
      const target = pick(world.targets.filter(({ account }) => world.cast.accounts.includes(account)));
      const body = { experienceId: pick(world.experiences), targetType: target.type, targetValue: target.name };
      return { operation: 'createExperienceAssignment', request: { body, as, form } };
    }
    const name = pick([...world.assignments.keys(), ...world.connections.keys()].filter((each) => !world.isOfNewAccount(each)));
    if (as === undefined || name === undefined) return undefined;
    const connection = world.connections.get(name);
    if (connection === undefined) return changeAssignment(name, as);
    const { state, experience } = connection;
    if (state !== undefined && chance(0.5)) return changeConnection(name, as, state === 'ACTIVE' ? 'INACTIVE' : 'ACTIVE');
    const hasNumbers = [...world.assignments.values()].some(
      (each) => each.experience === experience && each.target.type === 'PHONE_NUMBER',
    );
    return hasNumbers ? undefined : changeConnection(name, as, undefined);
  }

  function changeAssignment(name: string, as: TokenName): Probe {
    return { operation: 'deleteExperienceAssignment', request: { path: { assignmentId: name }, as, form } };
  }

  /** @param state undefined to delete the connection */
  function changeConnection(name: string, as: TokenName, state: string | undefined): Probe {
    const request = { path: { experienceConnectionId: name }, as, form };
    if (state === undefined) return { operation: 'deleteExperienceConnection', request };
    return { operation: 'updateExperienceConnection', request: { ...request, body: { state } } };
  }
}
