import type { JudgedRuleId } from '../../../src/contract/generated/rules.ts';
import { DO_NOTHING } from './do-nothing.ts';
import type { NoSaboteur, Saboteur, SaboteursOf } from './saboteur.ts';
import { assignability } from './saboteurs/assignability.ts';
import { assignments } from './saboteurs/assignments.ts';
import { authentication } from './saboteurs/authentication.ts';
import { authorization } from './saboteurs/authorization.ts';
import { connections } from './saboteurs/connections.ts';
import { events } from './saboteurs/events.ts';
import { http } from './saboteurs/http.ts';
import { limits } from './saboteurs/limits.ts';
import { users } from './saboteurs/users.ts';

// Exhaustive by its type: a rule without a saboteur, or without the reason why it has none, does not compile.
const saboteurs: SaboteursOf<JudgedRuleId['openapi' | 'authorization' | 'asyncapi']> = {
  ...http,
  ...authentication,
  ...assignability,
  ...limits,
  ...assignments,
  ...connections,
  ...users,
  ...authorization,
  ...events,
};

/** A saboteur by its name: the rule it breaks, and which of those that break it. */
export interface Registered extends Saboteur {
  readonly name: string;
  readonly rule: string;
}

export const registered: readonly Registered[] = Object.entries(saboteurs).flatMap(([rule, entry]) =>
  'none' in entry ? [] : entry.map((saboteur, index) => ({ ...saboteur, rule, name: `${rule}#${index + 1}` })),
);

/** The rules that nothing breaks alone, and why. */
export const without: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(saboteurs).flatMap(([rule, entry]: [string, readonly Saboteur[] | NoSaboteur]) =>
    'none' in entry ? [[rule, entry.none]] : [],
  ),
);

/** The rule that the saboteur of this name breaks; undefined: a server that does nothing, which breaks them all. */
export function ruleBrokenBy(name: string): string | undefined {
  return registered.find((saboteur) => saboteur.name === name)?.rule;
}

/** @throws Error where none has this name. */
export function saboteurNamed(name: string): Saboteur {
  const found = registered.find((saboteur) => saboteur.name === name) ?? DO_NOTHING.find((server) => server.name === name);
  if (found === undefined) throw new Error(`There is no saboteur ${name}.`);
  return found;
}
