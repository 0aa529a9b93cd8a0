import type { OperationId } from '../../../../src/contract/generated/operations.ts';
import { type RuleId, statusOf } from '../../../../src/contract/generated/rules.ts';
import { rules } from '../../../../src/contract/generated/rules-table.ts';
import { toKebabCase } from '../../../../src/contract/kebab-case.ts';
import { changeBody, changeEntities, changeMembers, isSuccess, type Json, OPERATION_IDS, type Reply, setContentType } from '../exchange.ts';
import { changeRefusal, changeReply, changeSuccess, type DerivedMutant } from '../mutant.ts';
import { createWrongMembers, type ObjectLocation } from './members.ts';
import { api, createPairs, createSchemaResolver, findSuccess, type Schema } from './schema.ts';

// Mutants that send a wrong response body, content type or success status.

function findRule(operation: OperationId, ending: string): RuleId | undefined {
  const ids = Object.keys(rules) as RuleId[];
  return ids.find((id) => id.endsWith(ending) && rules[id].operations?.includes(operation) && String(rules[id].status).startsWith('2'));
}

/** Response members with their own rule. A wrong value breaks that rule, not the rule about the shape of the response. */
const OTHER_RULES: Readonly<Record<string, Readonly<Record<string, RuleId>>>> = {
  getExperienceAssignments: { updatedAt: 'assignments.list.updated-at-prefixed' },
  createExperienceAssignment: { accountId: 'assignments.create.account-of-target', updatedAt: 'assignments.create.updated-at-utc' },
};

const changeSuccessBodies = (operation: OperationId, change: (reply: Reply) => Reply) =>
  changeReply(operation, change, (reply) => isSuccess(reply) && reply.text !== '');

/** Returns filters for entities: one per enum or boolean value, and two (null and set) per nullable member. */
function listKinds(schema: Schema): (readonly [where: string, applies: (entity: Json) => boolean])[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, given]) => {
    const { type, enum: values = type === 'boolean' ? [true, false] : [], oneOf = [] } = api.resolve(given);
    const kinds = values.map((value) => [` where ${name} is ${value}`, (entity: Json) => entity[name] === value] as const);
    if (oneOf.length === 0) return kinds;
    return [
      [` where ${name} is null`, (entity: Json) => entity[name] === null] as const,
      [` where ${name} is set`, (entity: Json) => entity[name] != null] as const,
    ];
  });
}

function createOperationMutants(operation: OperationId): DerivedMutant[] {
  const { status, schema } = findSuccess(operation);
  const shape = findRule(operation, '.shape') ?? findRule(operation, '.echo');
  // Without a documented status, no rule applies to the body.
  if (schema === undefined || shape === undefined || typeof status !== 'number') return [];
  const items = schema.properties?.entities?.items;
  const entity = items === undefined ? schema : api.resolve(items);
  const createObjectLocation = (where: string, isSelected: (entity: Json) => boolean): ObjectLocation => ({
    name: `${operation}${where}`,
    start: (change) => {
      const applyChange = (each: Json) => (isSelected(each) ? change(each) : each);
      return changeSuccessBodies(operation, (reply) =>
        items === undefined ? changeBody(reply, applyChange) : changeEntities(reply, (all) => all.map(applyChange)),
      );
    },
  });
  const anywhere = [createObjectLocation('', () => true)];
  const kinds = listKinds(entity);
  const otherRules = OTHER_RULES[operation] ?? {};
  return [
    ...createWrongMembers({
      schema: { ...entity, required: [...(entity.required ?? []), ...Object.keys(otherRules)] },
      ruleOf: (member) => otherRules[member] ?? shape,
      locationsOf: (member) => {
        if (kinds.length === 0 || !entity.required?.includes(member)) return anywhere;
        return kinds.filter(([where]) => where !== ` where ${member} is null`).map((kind) => createObjectLocation(...kind));
      },
    }),
    {
      rule: shape,
      description: `${operation} wraps its body in another object.`,
      start: changeSuccessBodies(operation, (reply) => changeBody(reply, (data) => ({ data }))),
    },
  ];
}

const PAGE_RULES: Readonly<Record<string, RuleId>> = {
  entities: 'http.pages.entities-array',
  pageSize: 'http.pages.page-size-integer',
  count: 'users.list.count',
};

const hasMember = (operation: OperationId, member: string): boolean => findSuccess(operation).schema?.properties?.[member] !== undefined;

const pageBodyMutants = createWrongMembers({
  schema: findSuccess('getUsers').schema ?? {},
  ruleOf: (member) => PAGE_RULES[member],
  locationsOf: (member) =>
    OPERATION_IDS.filter((operation) => hasMember(operation, 'entities') && hasMember(operation, member)).map((operation) => ({
      name: operation,
      start: (change) => changeSuccessBodies(operation, (reply) => changeBody(reply, change)),
    })),
});

const convertToPage = (reply: Reply): Reply => ({ ...setContentType(reply, 'text/html'), text: '<html><body>Refused</body></html>' });

/** Mutants that break the body of a 401. Every check of the rules below causes a 401. */
const problemMutants: readonly DerivedMutant[] = [
  ...createWrongMembers({
    schema: api.definition('Problem'),
    ruleOf: (member) => (Object.keys(rules) as RuleId[]).find((id) => id.startsWith(`http.problem.${toKebabCase(member)}`)),
    locationsOf: () => [{ name: 'A 401 problem', start: (change) => changeRefusal(401, 'any', (reply) => changeBody(reply, change)) }],
  }),
  {
    rule: 'http.problem.status',
    description: 'The problem in a 401 response has a status other than 401.',
    start: changeRefusal(401, 'any', (reply) => changeMembers(reply, { status: 400 })),
  },
  ...['application/json', 'text/plain', undefined].map((type) => ({
    rule: 'http.problem.content-type',
    description: `A 401 problem has the content type ${type ?? 'nothing'}.`,
    start: changeRefusal(401, 'any', (reply) => setContentType(reply, type)),
  })),
  { rule: 'http.bodies-are-json', description: 'A 401 is an HTML page.', start: changeRefusal(401, 'any', convertToPage) },
];

/** For each operation and error status, a rule that requires this status of this operation alone. */
const REFUSAL_RULES = OPERATION_IDS.flatMap((operation) => {
  const refusals = Object.entries(statusOf[operation]).filter(
    ([rule, status]) => status >= 400 && rules[rule as RuleId].operations?.length === 1,
  );
  return [...Map.groupBy(refusals, ([, status]) => status)].map(([status, [[shownBy] = ['']]]) => ({ operation, status, shownBy }));
});

const BROKEN_PROBLEMS: readonly (readonly [rule: RuleId, how: string, change: (reply: Reply) => Reply])[] = [
  ['http.bodies-are-json', 'is an HTML page', convertToPage],
  ['http.problem.content-type', 'has the content type application/json', (reply) => setContentType(reply, 'application/json')],
  ['http.problem.title', 'has no title', (reply) => changeMembers(reply, { title: undefined })],
];

const refusalBodyMutants: readonly DerivedMutant[] = createPairs(REFUSAL_RULES, BROKEN_PROBLEMS).map(
  ([{ operation, status, shownBy }, [rule, how, change]]) => ({
    rule,
    description: `The body of ${operation}'s ${status} response ${how}.`,
    shownBy,
    start: changeRefusal(status, operation, change),
  }),
);

const INVALID_JSON_BODIES: readonly (readonly [how: string, change: (reply: Reply) => Reply])[] = [
  ['has the content type text/plain', (reply) => setContentType(reply, 'text/plain; charset=utf-8')],
  ['ends with a comma', (reply) => ({ ...reply, text: reply.text.replace(/\}$/, ',}') })],
];

const invalidJsonMutants: readonly DerivedMutant[] = createPairs(
  OPERATION_IDS.filter((operation) => findSuccess(operation).schema !== undefined),
  INVALID_JSON_BODIES,
).map(([operation, [how, change]]) => ({
  rule: 'http.bodies-are-json',
  description: `The body of ${operation}'s response ${how}.`,
  start: changeSuccessBodies(operation, change),
}));

const TOKEN_RULES: Readonly<Record<string, RuleId>> = {
  access_token: 'oauth.token.type',
  token_type: 'oauth.token.type',
  expires_in: 'oauth.token.expires-in',
};

/** Wrong 2xx statuses, for rules that require a particular one. */
const WRONG_SUCCESSES: readonly (readonly [rule: RuleId, operation: OperationId, status: number])[] = [
  ['assignments.create.created', 'createExperienceAssignment', 200],
  ['assignments.create.created', 'createExperienceAssignment', 202],
  ['assignments.delete.no-body', 'deleteExperienceAssignment', 200],
];

const statusMutants: readonly DerivedMutant[] = WRONG_SUCCESSES.map(([rule, operation, status]) => ({
  rule,
  description: `${operation} answers a successful request with ${status}.`,
  start: changeSuccess(operation, (reply) => ({ ...reply, status })),
}));

const tokenMutants = createWrongMembers({
  schema: createSchemaResolver('authorization').definition('TokenResponse'),
  ruleOf: (member) => TOKEN_RULES[member],
  locationsOf: () => [{ name: 'A token response', start: (change) => changeSuccess('token', (reply) => changeBody(reply, change)) }],
});

export const bodyMutants: readonly DerivedMutant[] = [
  ...OPERATION_IDS.flatMap(createOperationMutants),
  ...statusMutants,
  ...pageBodyMutants,
  ...invalidJsonMutants,
  ...problemMutants,
  ...refusalBodyMutants,
  ...tokenMutants,
];
