import { type OperationId, operations } from '../../../../src/contract/generated/operations.ts';
import { rules } from '../../../../src/contract/generated/rules-table.ts';
import { schemaReferences } from '../../../../src/contract/generated/schema-references.ts';
import { isUuid } from '../../../../src/contract/uuid.ts';
import type { HostileValue } from '../../../../src/refusals/hostile-value.ts';
import {
  createHostilePageSizes,
  HOSTILE_NUMBERS,
  HOSTILE_TARGETS,
  HOSTILE_UUIDS,
  TARGET_TYPES,
} from '../../../../src/refusals/hostile-values.ts';
import { rulesInScope } from '../../../../src/report/scope.ts';
import { createProblemReply, isSuccess, type Json, parseBody, type Reply, type Request, readRefusal, SUCCESS } from '../exchange.ts';
import { type DerivedMutant, handleRequests, type Kit } from '../mutant.ts';
import { api, type Schema } from './schema.ts';

// Mutants that answer invalid requests with a wrong error status or with a success.

const WRONG_STATUSES: Readonly<Record<number, readonly number[]>> = {
  400: [422, 404],
  401: [403, 400],
  403: [404, 401],
  404: [403, 400, 410],
  409: [422, 400],
  422: [400, 404],
  429: [503],
  503: [500],
};

/** Rules that require a refusal, but no particular status. */
const RULES_WITHOUT_STATUS = /^auth\.challenge$|^limits\.|\.internal$|changes-nothing$|unchanged$/;

/** For rules with this suffix, a decision sets the status. The decision's id is the rule's id without the suffix. */
const REFUSED_SUFFIX = /-refused$/;
/** The wrong statuses that mutants send, for rules that permit several statuses. */
const WRONG_STATUSES_BY_RULE: Readonly<Record<string, readonly number[]>> = {
  'assignments.create.duplicate-refused': [400],
  'connections.update.missing-field-refused': [409],
  'connections.update.invalid-value': [409],
};

interface Refusal {
  readonly rule: string;
  readonly operations: readonly OperationId[];
  /** The refusal's problem type or status. */
  readonly answered: string | number;
  readonly wrong: readonly number[];
}

const refusals: readonly Refusal[] = rulesInScope.flatMap(({ id }): Refusal[] => {
  const { operations: of = [], status: text } = rules[id];
  const status = Number(text);
  if (of.length === 0 || RULES_WITHOUT_STATUS.test(id)) return [];
  const refusal = { rule: id, operations: of };
  const wrong = WRONG_STATUSES_BY_RULE[id];
  if (REFUSED_SUFFIX.test(id)) return [{ ...refusal, answered: id.replace(REFUSED_SUFFIX, ''), wrong: [...(wrong ?? []), 500] }];
  if (text === undefined && id.endsWith('.scope')) return [{ ...refusal, answered: 'auth.missing-scope', wrong: [] }];
  return status >= 400 ? [{ ...refusal, answered: status === 429 ? status : id, wrong: wrong ?? WRONG_STATUSES[status] ?? [] }] : [];
});

type RefusalPredicate = (facts: {
  readonly request: Request;
  readonly reply: Reply;
  readonly kit: Kit;
  readonly wasDeleted: boolean;
}) => boolean | Promise<boolean>;
type Case = readonly [label: string, applies: RefusalPredicate];

const COLLECTIONS: Readonly<Record<string, Parameters<Kit['exists']>[0]>> = {
  assignmentId: 'assignments',
  experienceConnectionId: 'connections',
  experienceId: 'experiences',
  userId: 'users',
};
/** No list has larger pages. */
const LARGEST_PAGE = 200;

const isExistingEntity = (request: Request, kit: Kit) => kit.exists(COLLECTIONS[Object.keys(request.path)[0] ?? ''] ?? 'users', request.id);

const NOT_FOUND: readonly Case[] = [
  ['that the caller may not see', ({ request, kit }) => isExistingEntity(request, kit)],
  ['missing', async ({ request, kit, wasDeleted }) => isUuid(request.id) && !wasDeleted && !(await isExistingEntity(request, kit))],
  ['under an id that is not a UUID', ({ request: { id } }) => !isUuid(id)],
];
const DELETED: Case = ['already deleted', ({ wasDeleted }) => wasDeleted];
const NATIVE_IDS: readonly Case[] = [
  ['under a numeric id', ({ request: { id } }) => /^\d+$/.test(id)],
  ['under a Base62 id', ({ request: { id } }) => /^[\w-]+$/.test(id) && !/^\d+$/.test(id) && !isUuid(id)],
  ['under an id in an unsupported style', ({ request: { id } }) => !/^[\w-]+$/.test(id)],
];

const INPUT_SCHEMAS: Readonly<Record<string, string>> = { ...schemaReferences.queries, ...schemaReferences.requests };

/** Each kind needs its own mutants, because a server could refuse one kind but accept another. */
function createCases({ rule, operations: [operation] }: Refusal): readonly Case[] {
  if (operation === undefined || rule.startsWith('auth.')) return [];
  if (rule.endsWith('.not-found')) {
    if (operation === 'getUser') return [...NOT_FOUND.slice(0, 2), ...NATIVE_IDS];
    return operations[operation].method === 'delete' ? [...NOT_FOUND, DELETED] : NOT_FOUND;
  }
  const $ref = INPUT_SCHEMAS[operations[operation].query ?? operation];
  const schema = $ref === undefined ? {} : api.resolve({ $ref });
  const findRuleAt = (part: Schema, keyword: string) => (typeof part['x-rule'] === 'object' ? part['x-rule'][keyword] : part['x-rule']);
  const members = Object.entries(schema.properties ?? {}).filter(([, member]) =>
    [findRuleAt(member, 'type'), findRuleAt(member, 'pattern')].includes(rule),
  );
  const missing = findRuleAt(schema, 'required') === rule ? (schema.required ?? []) : [];
  return [
    ...missing.map((member): Case => [`without ${member}`, ({ request }) => readSentValues(request)[member] === undefined]),
    ...members.flatMap(([member, given]) => createValueCases(member, api.resolve(given), members.length > 1)),
  ];
}

const readSentValues = (request: Request): Json => ({ ...request.query, ...parseBody(request) });

function createValueCases(member: string, schema: Schema, isOneOfSeveral: boolean): Case[] {
  const isOnlyReportedMember: RefusalPredicate = ({ reply }) =>
    (parseBody(reply).errors as Json[] | undefined)?.every(({ pointer }) => pointer === `/${member}`) ?? true;
  /** An imprecise server accepts some hostile values. */
  const createMatchingCases = (values: readonly HostileValue[]) =>
    values.flatMap(({ flaw, accepts }): Case[] => {
      if (accepts === undefined) return [];
      const isSent: RefusalPredicate = ({ request }) => accepts.test(String(readSentValues(request)[member] ?? ''));
      return [[`with ${member} that ${flaw}`, (facts) => isSent(facts) && (!isOneOfSeveral || isOnlyReportedMember(facts))]];
    });
  if (member === 'targetValue' && !isOneOfSeveral)
    return TARGET_TYPES.flatMap((type) =>
      createMatchingCases(HOSTILE_TARGETS[type]).map(
        ([label, isSent]): Case => [`${label}, for ${type}`, (facts) => readSentValues(facts.request).targetType === type && isSent(facts)],
      ),
    );
  const own: Case[] = isOneOfSeveral ? [[`with an invalid ${member}`, isOnlyReportedMember]] : [];
  if (schema.pattern === api.definition('Uuid').pattern) return [...own, ...createMatchingCases(HOSTILE_UUIDS)];
  if (member === 'pageSize')
    return createMatchingCases(createHostilePageSizes(LARGEST_PAGE).filter(({ value }) => !new RegExp(schema.pattern ?? '').test(value)));
  return ['telephoneNumber', 'tn'].includes(member) ? createMatchingCases(HOSTILE_NUMBERS) : own;
}

type Answer = readonly [how: string, reply: Reply];

function createAnswerMutant(
  { rule, operations: of, answered }: Refusal,
  label: string,
  applies: RefusalPredicate,
  [how, answer]: Answer,
): DerivedMutant {
  return {
    rule,
    description: `Answers ${of.length === 1 ? of[0] : 'every operation'} ${label === '' ? '' : `${label} `}with ${how} where ${rule} applies.`,
    start: () => {
      const deleted = new Set<string>();
      return handleRequests(of, async (request, service, kit) => {
        const reply = await service(request);
        if (request.method === 'DELETE' && isSuccess(reply)) deleted.add(request.id);
        if (answered !== readRefusal(reply) && answered !== reply.status) return reply;
        return (await applies({ request, reply, kit, wasDeleted: deleted.has(request.id) })) ? answer : reply;
      })();
    },
  };
}

const createStatusAnswer = (code: number): Answer => [`${code}`, createProblemReply(code)];
const SUCCESS_ANSWER: Answer = ['a success that has no effect', SUCCESS];

/** For a rule about a 404, each kind of request has two mutants: one sends a different error, and one sends a success. */
export const refusalMutants: readonly DerivedMutant[] = refusals.flatMap((refusal) => {
  const { rule, wrong } = refusal;
  const cases = createCases(refusal);
  const whole = rule.endsWith('.not-found') ? [] : [...wrong.map(createStatusAnswer), ...(cases.length === 0 ? [SUCCESS_ANSWER] : [])];
  return [
    ...whole.map((answer) => createAnswerMutant(refusal, '', () => true, answer)),
    ...cases.flatMap(([label, applies], index) => {
      const own = rule.endsWith('.not-found') ? [createStatusAnswer(wrong[index % wrong.length] ?? 500)] : [];
      return [...own, SUCCESS_ANSWER].map((answer) => createAnswerMutant(refusal, label, applies, answer));
    }),
  ];
});
