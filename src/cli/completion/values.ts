import type { Command } from 'commander';
import { decisions } from '../../contract/generated/decisions-table.ts';
import { eventTypes } from '../../contract/generated/events.ts';
import { operations } from '../../contract/generated/operations.ts';
import { rules } from '../../contract/generated/rules-table.ts';
import { listPackagedFixtures } from '../../world/package-files.ts';
import { SINGULAR_NOUNS } from '../../world/world.ts';

type ListValues = (command: Command, typed: string) => readonly string[] | Promise<readonly string[]>;

export const VALUE_LISTS = {
  '--rule': listRuleIds,
  '--fail-on': async (command) => ['documented', 'implied', ...(await listRuleIds(command))],
  '--operation': () => Object.keys(operations),
  '--set': (_, typed) => listDecisions(typed),
  '--type': () => eventTypes,
  '--types': () => eventTypes,
  '--fixtures': () => listPackagedFixtures('world'),
  '--scenario': () => listPackagedFixtures('scenario'),
  '<collection>': () => Object.keys(SINGULAR_NOUNS),
  '<scenario>': async () => (await import('../../checks/scenarios/list-scenarios.ts')).listScenarios().map(({ id }) => id),
} satisfies Readonly<Record<string, ListValues>>;

export type ValueName = keyof typeof VALUE_LISTS;

export const isValueName = (name: string): name is ValueName => Object.hasOwn(VALUE_LISTS, name);

export function listValues(name: ValueName, command: Command, typed: string): readonly string[] | Promise<readonly string[]> {
  return (VALUE_LISTS[name] as ListValues)(command, typed);
}

async function listRuleIds(command: Command): Promise<string[]> {
  const { selectRules } = await import('../reports/rule-ids.ts');
  const name = command.name();
  if (name === 'webhook' || name === 'client') return selectRules(['*'], '--rule', name).map(({ id }) => id);
  return name === 'conformance' ? selectRules(['*']).map(({ id }) => id) : Object.keys(rules);
}

/** Returns all decision ids. If `typed` begins with a decision id and `=`, returns that decision's values, each after `id=`. */
function listDecisions(typed: string): string[] {
  const id = typed.split('=', 1)[0] as string;
  const decision = typed.includes('=') ? Object.entries(decisions).find(([each]) => each === id)?.[1] : undefined;
  if (decision === undefined) return Object.keys(decisions).map((each) => `${each}=`);
  return [decision.default, ...(decision.alternatives ?? [])].map((value) => `${id}=${String(value)}`);
}
