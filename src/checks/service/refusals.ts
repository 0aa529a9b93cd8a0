// Requests that the contract does not allow, and requests that it plainly allows.
import { type OperationId, operations } from '../../contract/generated/operations.ts';
import type { RuleId } from '../../contract/generated/rules.ts';
import { rules } from '../../contract/generated/rules-table.ts';
import { schemaReferences } from '../../contract/generated/schema-references.ts';
import { schemas } from '../../contract/generated/schemas.ts';
import { isUuid } from '../../contract/uuid.ts';
import { getValidator, type SchemaViolation } from '../../contract/validators.ts';
import { must } from '../../expect/rule-broken.ts';
import { ruleRefusals } from '../../refusals/table.ts';
import { type Exchange, getEntities, getJson, isRawText, type Json, normalize, succeeds } from './exchange.ts';
import { type JudgeRule, type RuleJudges, type Shown, show } from './shown.ts';
import { findProof, hasScope, type Traffic } from './traffic.ts';

/** A request that breaks these rules may be accepted: the specification shows neither the values of a sort nor the connections' bodies. */
const MAY_BE_ACCEPTED: ReadonlySet<string> = new Set([
  'users.list.sort-by-allowed',
  'users.list.sort-order-allowed',
  'connections.create.required-field',
  'connections.update.missing-field-refused',
]);
/** The rules about a body that is not JSON. */
const UNPARSABLE: Readonly<Partial<Record<OperationId, RuleId>>> = {
  createExperienceAssignment: 'assignments.create.malformed-body-refused',
  createExperienceConnection: 'connections.create.malformed',
  updateExperienceConnection: 'connections.update.malformed',
};
/** Whether the list may be empty because the account is hidden, and therefore returned before other values are looked at. */
const MAY_BE_HIDDEN = /page-size/;
const HEX_UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The rules that refuse a request; the id of a decision that leaves only the status open is that of its rule. */
const toRule = (id: string | undefined): RuleId | undefined =>
  [id, `${id}-refused`].find((each): each is RuleId => Object.hasOwn(rules, each ?? ''));

/** Returns undefined if a server may read the query in several ways, for example if a value is empty or occurs twice. */
function readQuery({ operation, query }: Exchange): Json | undefined {
  const known: readonly string[] = operations[operation].queryParameters;
  const names = [...query.keys()];
  const isPlain = names.every((name) => known.includes(name)) && new Set(names).size === names.length;
  return isPlain && [...query.values()].every((value) => value !== '') ? Object.fromEntries(query) : undefined;
}

/** The part of a request that breaks a rule. */
interface Part {
  readonly rule: RuleId | undefined;
  readonly name: string;
  readonly value: unknown;
}

/** Whether a server may accept a value that the contract does not: a UUID as a URN, a number without its plus sign, a state in lower case. */
const isTolerable = ({ name, value }: Part): boolean =>
  typeof value === 'string' &&
  (/^urn:uuid:/i.test(value) || /^(?:targetValue|telephoneNumber|tn) \s*\d+$|^state (?:in)?active$/i.test(`${name} ${value}`));

function findQueryViolations(exchange: Exchange): readonly SchemaViolation[] | undefined {
  const schema = operations[exchange.operation].query;
  const query = readQuery(exchange);
  return schema === undefined || query === undefined ? undefined : getValidator(schemaReferences.queries[schema])(query);
}

/** Returns undefined if the body is not known, or is not sent as JSON. */
function findBodyRule(exchange: Exchange, isBodyShown: (operation: OperationId) => boolean): Part | undefined {
  const { operation, call, query } = exchange;
  const { body, headers, truncated } = call.request ?? { headers: {} };
  const reference = (schemaReferences.requests as Readonly<Record<string, string>>)[operation];
  const isSentAsJson =
    /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i.test(headers['content-type'] ?? '') && !headers['content-encoding'];
  if (query.size > 0) return undefined;
  if (
    reference === undefined ||
    truncated ||
    !isSentAsJson ||
    body === undefined ||
    /\[redacted\]|\[not recorded/.test(JSON.stringify(body))
  )
    return undefined;
  if (isRawText(call.request)) return { rule: UNPARSABLE[operation], name: '', value: body };
  const found = getValidator(reference)(body);
  const about = getOnlyRule(found);
  // The specification does not show the bodies of requests about connections, but a body that succeeded has the target's form.
  if (about === undefined || (operations[operation].successStatus === '2XX' && found[0]?.keyword !== 'type' && !isBodyShown(operation)))
    return undefined;
  return toPart(about, found, (name) => (Object(body) as Json)[name]);
}

function toPart(rule: RuleId | undefined, [first]: readonly SchemaViolation[], getValue: (name: string) => unknown): Part {
  const name = first?.pointer.slice(1) ?? '';
  return { rule, name, value: getValue(name) };
}

function getOnlyRule(found: readonly SchemaViolation[]): RuleId | undefined {
  const ids = new Set(found.map(({ rule }) => rule));
  return ids.size === 1 ? toRule([...ids][0]) : undefined;
}

/** Finds the only rule that a request breaks. Several errors have no documented order. */
export function findBrokenRule(exchange: Exchange, isBodyShown: (operation: OperationId) => boolean): RuleId | undefined {
  const found = findQueryViolations(exchange);
  const part = found ? toPart(getOnlyRule(found), found, (name) => exchange.query.get(name)) : findBodyRule(exchange, isBodyShown);
  return part === undefined || isTolerable(part) ? undefined : part.rule;
}

const broken = new WeakMap<Traffic, ReadonlyMap<string | undefined, readonly Exchange[]>>();

function groupByBrokenRule(traffic: Traffic): ReadonlyMap<string | undefined, readonly Exchange[]> {
  const known = broken.get(traffic);
  if (known) return known;
  const shown = new Set(
    traffic.exchanges
      .filter((each) => {
        const reference = (schemaReferences.requests as Readonly<Record<string, string>>)[each.operation];
        return reference !== undefined && succeeds(each) && getValidator(reference)(each.call.request?.body).length === 0;
      })
      .map(({ operation }) => operation),
  );
  const groups = Map.groupBy(traffic.exchanges, (each) => findBrokenRule(each, (operation) => shown.has(operation)));
  broken.set(traffic, groups);
  return groups;
}

/** The statuses that the suite permits. */
const listStatuses = (id: RuleId): readonly number[] =>
  [Number(rules[id].status ?? Number.NaN), ...ruleRefusals.filter((each) => each.id === id).flatMap(({ statuses }) => statuses)].filter(
    Number.isFinite,
  );

export const isEmptyPage = (each: Exchange): boolean => Array.isArray(getJson(each).entities) && getEntities(each).length === 0;

/** Statuses that an invalid request may get if it is also about a hidden entity. */
const listHiddenStatuses = ({ operation }: Exchange): readonly number[] => {
  if (operations[operation].method !== 'get') return [404, 410];
  return operation === 'getExperienceAssignability' ? [404, 409, 410] : [403, 404, 409, 410];
};

/** Whether neither the token's scope nor an entity that the caller may not see explains a refusal. The users list hides accounts by being empty. */
function isAboutNothingHidden(each: Exchange, traffic: Traffic): boolean {
  const values = [each.id, ...each.query.values(), ...Object.values(Object(each.call.request?.body) as Json)].map(normalize);
  const ids = each.operation === 'getUsers' ? [] : values.filter((value) => isUuid(value) || /^\+[1-9]\d{1,14}$/.test(value));
  return hasScope(each, traffic) && ids.every((id) => findProof(each, traffic, id).length > 0);
}

function judgeRefusal(id: RuleId): JudgeRule {
  const statuses = listStatuses(id);
  const expected = statuses.length === 0 ? 'refused (4xx)' : `refused with ${[...new Set(statuses)].join(' or ')}`;
  return (traffic) =>
    (groupByBrokenRule(traffic).get(id) ?? []).flatMap((exchange): Shown[] => {
      const { answer } = exchange;
      const { status } = answer;
      const isRight = statuses.length === 0 ? [400, 409, 415, 422].includes(status) : statuses.includes(status);
      if (isRight) return [show(exchange)];
      const isWrong = succeeds(exchange)
        ? !MAY_BE_ACCEPTED.has(id) && !(MAY_BE_HIDDEN.test(id) && isEmptyPage(exchange))
        : statuses.length > 0 &&
          ([400, 422].includes(status) || (listHiddenStatuses(exchange).includes(status) && isAboutNothingHidden(exchange, traffic)));
      if (!isWrong) return [];
      return [show(exchange, () => must(false, `the request is ${expected}: ${rules[id].text}`, answer))];
    });
}

/** Collects the rules that the schemas of queries and request bodies name. */
function listRulesInSchemas(): readonly RuleId[] {
  const names = [...Object.values(schemaReferences.queries), ...Object.values(schemaReferences.requests)].filter((name) =>
    name.startsWith('openapi#'),
  );
  const found = new Set<RuleId | undefined>(Object.values(UNPARSABLE));
  const visit = (value: unknown, isAnnotation = false): void => {
    if (isAnnotation && typeof value === 'string') found.add(toRule(value));
    if (typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value)) visit(member, isAnnotation || name === 'x-rule');
  };
  for (const name of names) visit((schemas.openapi.$defs as Json)[name.slice('openapi#/$defs/'.length)]);
  return [...found].filter((id) => id !== undefined);
}

export const judgesOfRefusals: RuleJudges = Object.fromEntries(listRulesInSchemas().map((id) => [id, judgeRefusal(id)]));

/** Whether no server may refuse the query: the specification leaves open capital letters in ids, numbering plans, sort fields and old cursors. */
export function isPlainlyValid(exchange: Exchange): boolean {
  const { query } = exchange;
  if (query.has('cursor') || query.has('sortBy') || query.has('sortOrder') || findQueryViolations(exchange)?.length !== 0) return false;
  // The specification does not say whether 050 is an integer from 1 to 200.
  if (query.getAll('pageSize').some((size) => size.startsWith('0'))) return false;
  const ids = [...query].flatMap(([name, value]) => (/Id$|^targetValue$/.test(name) ? [value] : []));
  return ids.every((id) => HEX_UUID.test(id)) && (query.has('accountId') || !(query.has('telephoneNumber') || query.has('tn')));
}
