import type { components } from '../contract/generated/control.ts';
import { type Lab, startLab } from './event-lab.ts';

type Schemas = components['schemas'];
type Mode = Schemas['DeliveryMode'];

export const MODE_PATH = '/subscriptions/all/delivery-mode';
export const HOUR_MS = 3_600_000;

export const setMode = (lab: Lab, mode: Mode) => lab.control<Schemas['DeliveryModeInForce']>('PUT', MODE_PATH, mode);
export const releaseHeldDeliveries = (lab: Lab, request: Schemas['Release'] = {}) =>
  lab.control<Schemas['Released']>('POST', '/subscriptions/all/release', request);
export const advance = (lab: Lab, by: number | string) => lab.control<Schemas['Advanced']>('POST', '/clock/advance', { by });

export async function createUsers(lab: Lab, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let user = 0; user < count; user++) ids.push((await lab.control<{ id: string }>('POST', '/state/users', { account: 'north' })).id);
  return ids;
}

export const listReceivedUsers = ({ receiver }: Lab, since: number) =>
  receiver.received.slice(since).map(({ event }) => (event.data as { userId?: string }).userId ?? event.type);

export const getArrivalOrder = (lab: Lab, since: number, ids: readonly string[]) =>
  listReceivedUsers(lab, since).map((id) => ids.indexOf(id));

export async function startIdleLab(settings: Parameters<typeof startLab>[0] = {}): Promise<Lab> {
  const lab = await startLab(settings);
  await lab.control('POST', '/state/assignments', { experience: 'desk', targetType: 'ACCOUNT', target: 'north' });
  await lab.settled();
  return lab;
}

export async function removeMode(lab: Lab): Promise<number> {
  lab.receiver.answerWith(204);
  await lab.control('DELETE', MODE_PATH);
  await lab.settled();
  return lab.receiver.received.length;
}

export const listIndexes = (count: number) => Array.from({ length: count }, (_, index) => index);
