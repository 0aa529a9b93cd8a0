import type { Command } from './commands.ts';
import { nameCreated } from './side.ts';
import type { Step } from './steps.ts';
import type { World } from './world.ts';

/** Returns a request at the same moment, which random commands would seldom send. The command's second number chooses among several. */
export function createRival(world: World, step: Step, { number, picks: [, index] }: Command): Step | undefined {
  const { request, changes, experience } = step;
  if (request === undefined) return undefined;
  if (step.kind === 'create assignment') {
    const other = world.findRivalAgent(experience);
    const target = world.targets.find(({ name }) => name === request.body?.targetValue);
    if (target?.type !== 'PHONE_NUMBER' || other === undefined) return undefined;
    const name = nameCreated('assignment', number + 1);
    const apply = () => void world.assignments.set(name, { name, experience: other, target });
    return { ...step, request: { ...request, body: { ...request.body, experienceId: other } }, creates: name, experience: other, apply };
  }
  if (step.kind !== 'update connection') return undefined;
  const [name = ''] = changes;
  // Without a rival, the same update is sent several times.
  if (index % 3 === 1) return undefined;
  // An update may undo one of the same account.
  const connections = [...world.connections.values()].filter((each) => each.name !== name);
  const ofAccount = connections.filter((each) => each.account === step.account);
  const others = ofAccount.length > 0 ? ofAccount : connections;
  const other = others[index % others.length];
  if (index % 3 === 0 || other === undefined) {
    const { body: _, ...rest } = request;
    return {
      ...step,
      kind: 'delete connection',
      request: { ...rest, operation: 'deleteExperienceConnection' },
      apply: () => world.remove(name),
    };
  }
  const state = other.state === 'ACTIVE' ? 'INACTIVE' : 'ACTIVE';
  return {
    ...step,
    request: { ...request, path: { experienceConnectionId: other.name }, body: { state } },
    changes: [other.name],
    account: other.account,
    experience: other.experience,
    apply: () => void Object.assign(other, { state }),
  };
}

/** Whether the answers to two different requests at the same moment show in which order the target executed them, if it matters. */
export function mayMeet(a: Step, b: Step): boolean {
  if (a.request === undefined || b.request === undefined || b.as !== 'manager') return false;
  const isSame = a.changes[0] === b.changes[0];
  if (a.kind === 'create assignment') return b.kind === a.kind;
  if (a.kind === 'create connection') return b.kind === a.kind && (a.account !== b.account || a.experience !== b.experience);
  if (a.kind === 'update connection') return b.kind === a.kind ? !isSame : b.kind === 'delete connection' && isSame;
  return a.kind === 'delete connection' && b.kind === 'update connection' && isSame;
}
