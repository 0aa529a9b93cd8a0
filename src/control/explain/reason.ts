import type { Judgement } from '../../contract/evidence.ts';
import type { components } from '../../contract/generated/control.ts';
import type { DecisionId, Decisions } from '../../contract/generated/decisions.ts';
import { gates } from '../../contract/generated/gates.ts';
import type { RuleId } from '../../contract/generated/rules.ts';
import type { JournalEntry } from '../../journal/journal.ts';
import { problemId } from './case.ts';

type Reason = components['schemas']['ExplainedReason'];

/** What the answer names as its reason, with its sentence. Undefined where it names none. */
export async function reasonOf(entry: JournalEntry, judgement: Judgement | undefined, decisions: Decisions): Promise<Reason | undefined> {
  const { problem, door } = entry;
  const id = problemId(entry, judgement);
  if (problem && door === 'authorization' && (id === undefined || id === 'oauth.error-body')) {
    return { id: problem.title, kind: 'oauth', text: problem.detail ?? problem.title };
  }
  return id === undefined ? undefined : reasonNamed(id, decisions);
}

/** A rule, an open point or a reason of the kit's own. */
async function reasonNamed(id: string, decisions: Decisions): Promise<Reason | undefined> {
  if (Object.hasOwn(gates, id)) return { id, kind: 'gate', text: gates[id as keyof typeof gates].text };
  // Loaded when asked for: the tables are large, and no answer needs them.
  const { rules } = await import('../../contract/generated/rules-table.ts');
  if (Object.hasOwn(rules, id)) {
    const { text, level, section } = rules[id as RuleId];
    return { id, kind: 'rule', text, level, section };
  }
  const { decisions: points } = await import('../../contract/generated/decisions-table.ts');
  if (!Object.hasOwn(points, id)) return undefined;
  const { question, section, default: standard, alternatives = [] } = points[id as DecisionId];
  const inForce = decisions[id as DecisionId];
  const others = [standard, ...alternatives].filter((value) => value !== inForce);
  return { id, kind: 'decision', text: question, section, inForce, alternatives: others };
}
