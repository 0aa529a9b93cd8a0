import { type OperationId, operations } from '../../../../src/contract/generated/operations.ts';
import type { RuleId } from '../../../../src/contract/generated/rules.ts';
import { rules } from '../../../../src/contract/generated/rules-table.ts';
import { bodyOf, isSuccess, type Json, type Reply, withHeaders, withJson, withMembers } from '../exchange.ts';
import { changeReply, changeSuccess, type Derived } from '../mutant.ts';
import { api, isConditional, pairs, type Schema, schemasOf, successOf, type Wrong, wrongValues } from './schema.ts';

// Every member of every response body is wrong in every way that its schema tells; and so are the bodies as a whole, and their content types.

const OPERATIONS = Object.keys(operations) as OperationId[];

/** The rule of an operation with this ending that stands at its success. */
function ruleOf(operation: OperationId, ending: string): RuleId | undefined {
  const ids = Object.keys(rules) as RuleId[];
  return ids.find((id) => id.endsWith(ending) && rules[id].operations?.includes(operation) && String(rules[id].status).startsWith('2'));
}

/** The rules of members that are not the shape of the operation's entity, by operation and member. */
const OTHER_RULES: Readonly<Record<string, RuleId | undefined>> = {
  'getExperienceAssignments updatedAt': 'assignments.list.updated-at-prefixed',
  'createExperienceAssignment accountId': 'assignments.create.account-of-target',
  'createExperienceAssignment updatedAt': 'assignments.create.updated-at-utc',
};

type Change = (entity: Json) => Json;
interface Variant {
  readonly where: string;
  readonly applies: (entity: Json) => boolean;
}

const ANY: Variant = { where: 'there is one', applies: () => true };

/** Kinds of entities that a check has to look at each: by their enums and booleans, and by whether a nullable member is null. */
function variantsOf(schema: Schema): readonly Variant[] {
  const variants = Object.entries(schema.properties ?? {}).flatMap(([name, given]): Variant[] => {
    const { type, enum: values = type === 'boolean' ? [true, false] : [], oneOf = [] } = api.resolve(given);
    return [
      ...values.map((value) => ({ where: `${name} is ${value}`, applies: (entity: Json) => entity[name] === value })),
      ...(oneOf.length > 0
        ? [
            { where: `${name} is null`, applies: (entity: Json) => entity[name] === null },
            { where: `${name} is not null`, applies: (entity: Json) => entity[name] != null },
          ]
        : []),
    ];
  });
  return variants.length > 0 ? variants : [ANY];
}

/** Of every member and every way in which it is wrong: a sentence, and a change of those entities that are of one variant, each variant in its turn. */
function wrongMembers(schema: Schema, shown: string, requires: readonly string[] = []) {
  const variants = variantsOf(schema);
  return Object.entries(schema.properties ?? {}).flatMap(([member, given], position) => {
    const resolved = api.resolve(given);
    const isRequired = [...(schema.required ?? []), ...requires].includes(member);
    return wrongValues(resolved, { isRequired, isConditional: isConditional(schema, member) }).map(([how, change], index) => {
      const possible = variants.filter(({ where }) => where !== `${member} is null`);
      const variant = isRequired && !requires.includes(member) ? (possible[(position + index) % possible.length] as Variant) : ANY;
      return {
        member,
        does: `${shown} ${how} for ${member} where ${variant.where}.`,
        change: (entity: Json) => (variant.applies(entity) ? { ...entity, [member]: change(entity[member] as never) } : entity),
      };
    });
  });
}

const onSuccess = (operation: OperationId, change: (reply: Reply) => Reply) =>
  changeReply(operation, change, (reply) => isSuccess(reply) && reply.text !== '');

/** The mutants of one operation's success. */
function ofOperation(operation: OperationId): Derived[] {
  const { status, schema } = successOf(operation);
  const shape = ruleOf(operation, '.shape') ?? ruleOf(operation, '.echo');
  // A status that the specification does not show has a body that it does not show either.
  if (schema === undefined || shape === undefined || typeof status !== 'number') return [];
  const items = schema.properties?.entities?.items;
  const entity = items === undefined ? schema : api.resolve(items);
  const changeEntities = (change: Change) => (reply: Reply) =>
    items === undefined
      ? withJson(reply, change(bodyOf(reply)))
      : withMembers(reply, { entities: (bodyOf(reply).entities as Json[]).map(change) });
  const optional = OTHER_RULES[`${operation} updatedAt`] === undefined ? [] : ['updatedAt'];
  return [
    ...wrongMembers(entity, `${operation} shows`, optional).flatMap(({ member, does, change }) => {
      const rule = member in OTHER_RULES ? OTHER_RULES[member] : (OTHER_RULES[`${operation} ${member}`] ?? shape);
      return rule === undefined ? [] : [{ rule, does, start: onSuccess(operation, changeEntities(change)) }];
    }),
    {
      rule: shape,
      does: `${operation} answers with a list of one body.`,
      start: onSuccess(operation, (reply) => withJson(reply, [bodyOf(reply)])),
    },
    { rule: shape, does: `${operation} wraps its body.`, start: onSuccess(operation, (reply) => withJson(reply, { data: bodyOf(reply) })) },
  ];
}

const PAGE_RULES: Readonly<Record<string, RuleId>> = {
  entities: 'http.pages.entities-array',
  pageSize: 'http.pages.page-size-integer',
  count: 'users.list.count',
};

/** The mutants of pages: each member is wrong in each way in one list, and wrong in one way in each list. */
const ofPages: readonly Derived[] = Object.entries(PAGE_RULES).flatMap(([member, rule]) => {
  const lists = OPERATIONS.filter((operation) => successOf(operation).schema?.properties?.[member] !== undefined);
  const { properties = {}, required = [] } = (lists[0] && successOf(lists[0]).schema) ?? {};
  const ways = wrongValues(api.resolve(properties[member] ?? {}), { isRequired: required.includes(member) });
  return pairs(ways, lists).map(([[how, change], operation]) => ({
    rule,
    does: `${operation} shows ${how} for ${member}.`,
    start: onSuccess(operation, (reply) => withMembers(reply, { [member]: change(bodyOf(reply)[member] as never) })),
  }));
});

const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const typed = (reply: Reply, type: string | undefined): Reply => withHeaders(reply, { 'content-type': type });

/** The statuses that problems are documented with, but for those that only an operator can bring about. */
const STATUSES = [400, 401, 403, 404, 409, 422, 429];

const onProblem = (status: number, change: (reply: Reply) => Reply) => changeReply('any', change, (reply) => reply.status === status);

const WRONG_TYPES: readonly (readonly [string, string | undefined])[] = [
  ['application/json', 'application/json'],
  ['text/plain', 'text/plain'],
  ['nothing', undefined],
];

/** The mutants of problems: each member is wrong in each way, with another status each time, and with each status at least once. */
function ofProblems(): Derived[] {
  const { properties = {}, required = [] } = api.definition('Problem');
  const ids = Object.keys(rules) as RuleId[];
  return Object.entries(properties).flatMap(([member, given]) => {
    const rule = ids.find((id) => id.startsWith(`http.problem.${kebab(member)}`));
    if (rule === undefined) return [];
    const wrong: Wrong[] = wrongValues(api.resolve(given), { isRequired: required.includes(member) });
    if (member === 'status') wrong.push(['another status', (value: number) => value + 1]);
    return pairs(STATUSES, wrong).map(([status, [how, change]]) => ({
      rule,
      does: `A ${status} problem has ${how} for ${member}.`,
      status,
      start: onProblem(status, (reply) => withMembers(reply, { [member]: change((bodyOf(reply)[member] ?? []) as never) })),
    }));
  });
}

const asPage = (reply: Reply): Reply => ({ ...typed(reply, 'text/html'), text: '<html><body>Refused</body></html>' });

const ofTypes: readonly Derived[] = [
  ...pairs(STATUSES, WRONG_TYPES).map(([status, [how, type]]) => ({
    rule: 'http.problem.content-type',
    does: `A ${status} problem has ${how} for a content type.`,
    status,
    start: onProblem(status, (reply) => typed(reply, type)),
  })),
  ...STATUSES.map((status) => ({
    rule: 'http.bodies-are-json',
    does: `A ${status} is an HTML page.`,
    status,
    start: onProblem(status, asPage),
  })),
];

const NO_JSON: readonly (readonly [how: string, change: (reply: Reply) => Reply])[] = [
  ['has the content type text/plain', (reply) => typed(reply, 'text/plain; charset=utf-8')],
  ['ends with a comma', (reply) => ({ ...reply, text: reply.text.replace(/\}$/, ',}') })],
];

const ofJson: readonly Derived[] = pairs(
  OPERATIONS.filter((operation) => successOf(operation).schema !== undefined),
  NO_JSON,
).map(([operation, [how, change]]) => ({
  rule: 'http.bodies-are-json',
  does: `The body of ${operation} ${how}.`,
  status: 200,
  start: onSuccess(operation, change),
}));

/** Wrong statuses of a success whose status a rule names. */
const WRONG_SUCCESSES: Readonly<Record<string, readonly [rule: RuleId, ...statuses: number[]]>> = {
  createExperienceAssignment: ['assignments.create.created', 200, 202, 204],
  deleteExperienceAssignment: ['assignments.delete.no-body', 200, 202],
};

function ofStatus(operation: OperationId): Derived[] {
  const [rule, ...statuses] = WRONG_SUCCESSES[operation] ?? [];
  return rule === undefined
    ? []
    : statuses.map((status) => ({
        rule,
        does: `${operation} answers with ${status}.`,
        start: changeSuccess(operation, (reply) => ({ ...reply, status, text: status === 204 ? '' : reply.text })),
      }));
}

/** The mutants of the token response. */
function ofTokens(): Derived[] {
  const schema = schemasOf('authorization').definition('TokenResponse');
  return Object.entries(schema.properties ?? {})
    .filter(([member]) => schema.required?.includes(member))
    .flatMap(([member, given]) =>
      wrongValues(given, { isRequired: true }).map(([how, change]) => ({
        rule: member === 'expires_in' ? 'oauth.token.expires-in' : 'oauth.token.type',
        does: `A token response has ${how} for ${member}.`,
        start: changeSuccess('token', (reply) => withMembers(reply, { [member]: change(bodyOf(reply)[member] as never) })),
      })),
    );
}

/** The mutants of every response body. */
export const bodyMutants: readonly Derived[] = [
  ...OPERATIONS.flatMap((operation) => [...ofOperation(operation), ...ofStatus(operation)]),
  ...ofPages,
  ...ofJson,
  ...ofProblems(),
  ...ofTypes,
  ...ofTokens(),
];
