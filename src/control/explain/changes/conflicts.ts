import type { Evidence } from '../../../contract/evidence.ts';
import type { Case } from '../case.ts';
import type { ControlCall } from '../trial.ts';
import { aliasOf } from '../view.ts';
import { statePath } from './access.ts';
import type { Change } from './change.ts';

type Of<Cause extends Evidence['cause']> = Extract<Evidence, { cause: Cause }>;

const remove = (collection: string, id: string): ControlCall => ({ method: 'DELETE', path: statePath(collection, id) });

/** What is in the way goes. */
export function removeAssignments(ids: readonly string[]): Change[] {
  const which = ids.length === 1 ? `the assignment ${ids[0]}` : `the ${ids.length} assignments that are in the way`;
  return [{ text: `Remove ${which} first.`, control: ids.map((id) => remove('assignments', id)) }];
}

export function removeConnection({ connectionId }: Of<'connection exists'>): Change[] {
  const call = remove('connections', connectionId);
  return [
    { text: `Remove the connection ${connectionId} first.`, control: [call] },
    {
      text: `Remove the connection ${connectionId} first, as the platform: numbers are assigned.`,
      control: [{ ...call, path: `${call.path}?as=platform` }],
    },
  ];
}

export function connect({ world }: Case, { accountId, experienceId }: Of<'no connection'>): Change[] {
  const account = aliasOf(world.accounts, accountId);
  const experience = aliasOf(world.experiences, experienceId);
  return [
    {
      text: `Connect the account ${account} to the Experience ${experience} first.`,
      control: [{ method: 'POST', path: '/state/connections', body: { account, experience } }],
    },
  ];
}

export function otherState({ state }: Of<'present state'>): Change[] {
  const other = state === 'ACTIVE' ? 'INACTIVE' : 'ACTIVE';
  return [
    { text: `Ask for the state ${other}: the connection has ${state} already.`, request: { body: JSON.stringify({ state: other }) } },
  ];
}

/** Other windows than the sliding one do not let the wait be told from the requests alone: a second is enough for all. */
export function wait({ waitMs, window }: Of<'rate'>): Change[] {
  const by = window === 'sliding' ? waitMs : 1000;
  return [{ text: `Wait ${by} ms of kit time.`, control: [{ method: 'POST', path: '/clock/advance', body: { by } }] }];
}

export function removeFault({ fault }: Of<'fault'>): Change[] {
  const call: ControlCall = { method: 'DELETE', path: `/faults/${encodeURIComponent(fault.id)}` };
  return [{ text: `Remove the fault ${fault.id}.`, control: [call] }];
}
