import { type OperationId, operations, type PathForm } from '../contract/generated/operations.ts';
import type { Column } from '../contract/generated/results.ts';
import type { Rule, RuleId } from '../contract/generated/rules.ts';
import { rules } from '../contract/generated/rules-table.ts';

export const PATH_FORMS: readonly PathForm[] = ['prefixed', 'flat'];

export interface RuleInScope {
  readonly id: RuleId;
  readonly text: string;
  readonly level: Rule['level'];
  readonly section: string;
  readonly resource: string;
  readonly columns: readonly Column[];
}

const TESTED_DOCUMENTS: readonly Rule['document'][] = ['openapi', 'authorization', 'asyncapi'];

const RESOURCE_NAMES: Readonly<Record<string, string>> = {
  http: 'General',
  auth: 'Authentication',
  assignability: 'Assignability',
  limits: 'Limits',
  assignments: 'Assignments',
  connections: 'Connections',
  users: 'Users',
  oauth: 'Authorization server',
  events: 'Events',
};

export const rulesInScope: readonly RuleInScope[] = (Object.entries(rules) as [RuleId, Rule][]).flatMap(([id, rule]) => {
  const { text, level, section, actor, document, untestable } = rule;
  if (actor !== 'service' || level === 'advice' || untestable !== undefined || !TESTED_DOCUMENTS.includes(document)) return [];
  return [{ id, text, level, section, resource: getResource(id), columns: getPathForms(rule) }];
});

function getPathForms({ document, operations: ids }: Rule): readonly PathForm[] {
  if (document !== 'openapi') return ['prefixed'];
  const isSamePath = ids?.every((id: OperationId) => operations[id].forms.prefixed === operations[id].forms.flat) ?? false;
  return isSamePath ? ['prefixed'] : PATH_FORMS;
}

function getResource(id: string): string {
  const [first = ''] = id.split('.');
  return RESOURCE_NAMES[first] ?? first;
}
