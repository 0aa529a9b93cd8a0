import type { LevelName, Levels } from '../../../contract/evidence.ts';
import type { Case } from '../case.ts';
import type { ControlCall } from '../trial.ts';
import { aliasOf } from '../view.ts';
import type { Change } from './change.ts';

const RANKS: Readonly<Record<LevelName, number>> = { none: 0, read: 1, manage: 2 };

/** The grants that make both sides of an access reach the level that is needed. */
export function grants({ world, who }: Case, levels: Levels, needed: 'read' | 'manage'): Change[] {
  const { experienceId, providerLevel, accountId, principalLevel } = levels;
  const lacks = (level: LevelName | undefined) => level !== undefined && RANKS[level] < RANKS[needed];
  const calls: ControlCall[] = [];
  const sentences: string[] = [];
  if (experienceId !== undefined && who.provider !== undefined && lacks(providerLevel)) {
    const experience = aliasOf(world.experiences, experienceId);
    calls.push(patch('experiences', experience, { levels: { [who.provider]: needed } }));
    sentences.push(`the provider ${who.provider} the level ${needed} on the Experience ${experience}`);
  }
  if (accountId !== undefined && who.principal !== undefined && lacks(principalLevel)) {
    const account = aliasOf(world.accounts, accountId);
    calls.push(patch('principals', who.principal, { accounts: { [account]: needed } }));
    sentences.push(`the principal ${who.principal} the level ${needed} on the account ${account}`);
  }
  return calls.length === 0 ? [] : [{ text: `Give ${sentences.join(', and ')}.`, control: calls }];
}

function patch(collection: string, alias: string, body: unknown): ControlCall {
  return { method: 'PATCH', path: statePath(collection, alias), body };
}

/** The path of an entity in the control API. */
export function statePath(collection: string, name: string): string {
  return `/state/${collection}/${encodeURIComponent(name)}`;
}
