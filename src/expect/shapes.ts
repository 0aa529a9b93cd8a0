import { type OperationId, operations, type PathForm } from '../contract/generated/operations.ts';
import type { RuleId } from '../contract/generated/rules.ts';
import { schemaReferences } from '../contract/generated/schema-references.ts';
import { getValidator } from '../contract/validators.ts';
import type { Answer } from './answer.ts';
import { PROBLEM_RULES, PROBLEM_SCHEMA, RULES_ABOUT_HEADERS } from './problem.ts';
import { isSuccess } from './response.ts';
import { RuleBroken } from './rule-broken.ts';

export interface BrokenShape {
  readonly rule: RuleId;
  readonly message: string;
}

const references = schemaReferences.responses as Readonly<Record<string, Readonly<Record<string, string>>>>;
const SHAPE_RULES: Readonly<Partial<Record<OperationId, RuleId>>> = {
  getExperienceAssignability: 'assignability.shape',
  getExperienceAssignments: 'assignments.list.shape',
  createExperienceAssignment: 'assignments.create.created',
  getExperienceAssignment: 'assignments.get.shape',
  getExperienceConnections: 'connections.list.shape',
  getExperienceConnection: 'connections.get.shape',
  getUsers: 'users.list.shape',
  getUser: 'users.get.shape',
};
const RULES_BY_POINTER: Readonly<Record<string, RuleId>> = {
  '/entities': 'http.pages.entities-array',
  '/pageSize': 'http.pages.page-size-integer',
};

/** The rule that the body of an answer breaks, whatever the answer should contain; undefined if the body has the right shape. */
export function findBrokenShape(
  operation: OperationId,
  form: PathForm,
  answer: Pick<Answer, 'status' | 'text' | 'json'>,
): BrokenShape | undefined {
  if (!isSuccess(answer as Answer)) return findBrokenProblem(operation, answer);
  const { successStatus } = operations[operation];
  const reference = references[operation]?.[successStatus];
  const rule = SHAPE_RULES[operation];
  if (successStatus === '2XX' || reference === undefined || rule === undefined || answer.json === undefined) return undefined;
  const [found] = getValidator(reference)(answer.json);
  if (found)
    return {
      rule: RULES_BY_POINTER[found.pointer] ?? rule,
      message: `Expected a body that matches its schema: ${found.pointer || 'the body'} ${found.message}`,
    };
  const { entities = [] } = answer.json as { entities?: readonly { updatedAt?: unknown }[] };
  if (operation === 'getExperienceAssignments' && form === 'prefixed' && entities.some(({ updatedAt }) => typeof updatedAt !== 'string'))
    return { rule: 'assignments.list.updated-at-prefixed', message: 'Expected updatedAt in each assignment' };
  return undefined;
}

function findBrokenProblem(operation: OperationId, refusal: Pick<Answer, 'status' | 'text' | 'json'>): BrokenShape | undefined {
  if (references[operation]?.[refusal.status] !== PROBLEM_SCHEMA) return undefined;
  for (const { id, expect } of PROBLEM_RULES) {
    if (RULES_ABOUT_HEADERS.includes(id)) continue;
    try {
      expect(refusal as Answer);
    } catch (error) {
      if (error instanceof RuleBroken) return { rule: id, message: error.message.replace(/\.$/, '') };
      throw error;
    }
  }
  return undefined;
}
