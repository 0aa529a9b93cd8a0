import type { Command } from 'commander';
import { decisions } from '../../contract/generated/decisions-table.ts';
import { eventTypes } from '../../contract/generated/events.ts';
import { operations } from '../../contract/generated/operations.ts';
import { rules } from '../../contract/generated/rules-table.ts';
import { packagedFixtures } from '../../world/package-files.ts';
import { SINGULAR } from '../../world/world.ts';

type Values = (command: Command, typed: string) => readonly string[] | Promise<readonly string[]>;

/** The values of options and arguments that are not restricted to choices. */
export const VALUES = {
  '--rule': rulesOf,
  '--fail-on': async (command) => ['documented', 'implied', ...(await rulesOf(command))],
  '--operation': () => Object.keys(operations),
  '--set': (_, typed) => decisionsFor(typed),
  '--type': () => eventTypes,
  '--types': () => eventTypes,
  '--fixtures': () => packagedFixtures('world'),
  '--scenario': () => packagedFixtures('scenario'),
  '<type>': () => eventTypes,
  '<collection>': () => Object.keys(SINGULAR),
  '<scenario>': async () => (await import('../../checks/refusals/list-scenarios.ts')).listScenarios().map(({ id }) => id),
} satisfies Readonly<Record<string, Values>>;

export type ValueName = keyof typeof VALUES;

export const isValueName = (name: string): name is ValueName => Object.hasOwn(VALUES, name);

export function valuesOf(name: ValueName, command: Command, typed: string): readonly string[] | Promise<readonly string[]> {
  return (VALUES[name] as Values)(command, typed);
}

/** Returns the rules that a command tests. A fault can name any rule. */
async function rulesOf(command: Command): Promise<string[]> {
  const { selectedRules } = await import('../reports/rule-ids.ts');
  const name = command.name();
  if (name === 'webhook' || name === 'client') return selectedRules(['*'], '--rule', name).map(({ id }) => id);
  return name === 'conformance' ? selectedRules(['*']).map(({ id }) => id) : Object.keys(rules);
}

/** Returns the ids of the decisions, or the values of a decision after its id, such as `lists.order=newest-first`. */
function decisionsFor(typed: string): string[] {
  const id = typed.split('=', 1)[0] as string;
  const decision = typed.includes('=') ? Object.entries(decisions).find(([each]) => each === id)?.[1] : undefined;
  if (decision === undefined) return Object.keys(decisions).map((each) => `${each}=`);
  return [decision.default, ...(decision.alternatives ?? [])].map((value) => `${id}=${String(value)}`);
}
