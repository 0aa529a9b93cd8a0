import { didYouMean } from '../contract/did-you-mean.ts';
import { createControlFailure, type GateFailure } from '../contract/failure.ts';
import { getValidator } from '../contract/validators.ts';
import { listSnapshots, removeSnapshot, saveSnapshot } from '../service/snapshots.ts';
import type { Executor } from '../store/engine.ts';
import type { ControlHandlers } from './handler.ts';

/** A snapshot is a named copy of the whole state. */
export const snapshotHandlers: Pick<ControlHandlers, 'saveSnapshot' | 'listSnapshots' | 'deleteSnapshot'> = {
  /** Replaces an existing snapshot with the same name. */
  async saveSnapshot({ params: { name } }, { store, clock }) {
    const [problem] = getValidator('control#/$defs/SnapshotName')(name);
    if (problem) return createControlFailure('invalid', `${JSON.stringify(name)} is not a valid snapshot name: it ${problem.message}.`);
    const { snapshot, created } = await saveSnapshot(store, name, clock.now());
    return { status: created ? 201 : 200, body: snapshot };
  },
  listSnapshots: async (_, { store }) => ({ status: 200, body: await listSnapshots(store.db) }),
  async deleteSnapshot({ params: { name } }, { store }) {
    return (await removeSnapshot(store, name))
      ? { status: 204 }
      : createControlFailure('not-found', await describeUnknownSnapshot(store.db, name));
  },
};

export async function refuseReset(db: Executor, name: string): Promise<GateFailure> {
  const message = await describeUnknownSnapshot(db, name, ['seed', 'empty']);
  return createControlFailure('invalid', message, [{ pointer: '/to', message }]);
}

async function describeUnknownSnapshot(db: Executor, name: string, besides: readonly string[] = []): Promise<string> {
  const names = (await listSnapshots(db)).map((snapshot) => snapshot.name);
  const known =
    names.length === 0
      ? 'There are none. Save one with xpk snapshot save or PUT /_control/snapshots/{name}.'
      : `There ${names.length === 1 ? 'is' : 'are'}: ${names.join(', ')}.`;
  return `There is no snapshot ${JSON.stringify(name)}.${didYouMean(name, [...besides, ...names])} ${known}`;
}
