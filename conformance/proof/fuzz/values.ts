import fc, { type Arbitrary, type GeneratorValue } from 'fast-check';
import { operations as service } from '../../../src/contract/generated/operations.ts';
import { smallWorld } from '../../../src/world/testing/small.ts';
import { type Json, resolve } from '../../../tools/scripts/generate/documents.ts';
import type { KnownValues } from './known-values.ts';
import { ODD_TEXTS, RAW_JSON, TYPED_TEXTS } from './odd-values.ts';

const POOLS_BY_NAME: Readonly<Record<string, string>> = {
  ...{ experienceId: 'experiences', experience: 'experiences', accountId: 'accounts', account: 'accounts', principal: 'principals' },
  ...{ provider: 'providers', providerId: 'providers', telephoneNumber: 'telephoneNumbers', tn: 'telephoneNumbers' },
  ...{ login_hint: 'telephoneNumbers', assignmentId: 'assignments', experienceConnectionId: 'connections', client: 'clients' },
  ...{ subscription: 'subscriptions', subscriptionId: 'subscriptions', entityId: 'users', deliveryId: 'deliveries', faultId: 'faults' },
  ...{ traceId: 'traceId', cursor: 'cursor', code: 'code', refresh_token: 'refresh_token' },
  // Only addresses of this machine, so that deliveries stay on this machine.
  Destination: 'destinations',
};
/** For members that contain a map, the pool from which the map's keys are taken. */
const KEYS_OF_MAPS: Readonly<Record<string, string>> = { levels: 'providers', accounts: 'accounts' };
const TARGET_POOLS = [
  ['USER', 'users'],
  ['PHONE_NUMBER', 'telephoneNumbers'],
  ['ACCOUNT', 'accounts'],
] as const;
const SCOPES = 'experience-connections:manage experience-assignments:manage experience-assignability:check users:manage offline_access';

/** Values for the members, parameters and schemas for which generated values would be useless. */
const VALUES_BY_NAME: Readonly<Record<string, readonly unknown[]>> = {
  SnapshotName: ['one', 'two', 'three'],
  to: ['seed', 'seed', 'seed', 'empty', 'one', 'two'],
  by: ['1s', '250ms', '10m', '2d', '8760h', '9999999d', 0, 31_536_000_000],
  operation: [...Object.keys(service), 'token', 'authorize'],
  status: [400, 401, 403, 404, 409, 422, 429, 503],
  type: ['experience.connection.created', 'provisioning.user.created', 'raw'],
  sortBy: ['createdAt', 'updatedAt', 'firstName', 'lastName'],
  sortOrder: ['asc', 'desc'],
  scope: [SCOPES, ...SCOPES.split(' '), 'users:manage experience-connections:manage'],
  code_challenge: ['IZeA_Jei9Z5pO2ybwu0h1t2Tj_AUREcrmRIeiKh1z5E'],
  code_verifier: ['fuzz-fuzz-fuzz-fuzz-fuzz-fuzz-fuzz-fuzz-fuzz-fuzz'],
  method: ['GET', 'POST'],
  path: ['/users/*', '/auth/oauth/token', '*'],
};
const GENERATORS_BY_NAME: Readonly<Record<string, (values: Values, client: Json) => unknown>> = {
  userId: (values) => values.pickFromPool(values.rollOneIn(2) ? 'users' : 'nativeIds'),
  World: (values) => (values.rollOneIn(2) ? structuredClone(smallWorld) : JSON.parse(values.known.world)),
  client_id: (_, client) => client.id,
  client_secret: (_, client) => client.secret,
  redirect_uri: (_, client) => client.redirectUris?.[0],
  client_assertion: (values) => values.generateAssertion(),
};
/** Bodies for `addFault`, whose schema does not say which members exclude each other. */
const FAULT_ACTIONS: readonly object[] = [
  { fault: 'problem', status: 404, times: 3 },
  { fault: 'problem', status: 429, undocumented: true, times: 3 },
  { fault: 'latency', latencyMs: 0, latencyMaxMs: 20, probability: 0.5, times: 3 },
  { fault: 'response', status: 200, headers: { 'x-injected': 'yes' }, body: [{ x: 1 }], times: 3 },
  { fault: 'connection-reset', times: 1 },
];
/** Optional members that few requests contain, because a random value in them usually causes a refusal or an empty list. */
const RARE_MEMBERS = ['cursor', 'id', 'Last-Event-ID', 'subscriptionId', 'since', 'entityId', 'createdAt', 'updatedAt'];
/** Members that every request contains, because without them, the kit could take long to respond. */
const ALWAYS_PRESENT_MEMBERS = ['timeoutMs', 'maxWaitMs', 'times', 'count'];

/** The same seed gives the same values, except the kit's ids and tokens. */
export class Values {
  readonly #random: GeneratorValue;
  readonly known: KnownValues;

  constructor(seed: number, known: KnownValues) {
    this.#random = fc.sample(fc.gen(), { seed, numRuns: 1 })[0]!;
    this.known = known;
  }

  rollOneIn(times: number): boolean {
    return this.#random(fc.nat, times - 1) === 0;
  }

  pickOne<Item>(items: readonly Item[]): Item {
    return items[this.#random(fc.nat, items.length - 1)]!;
  }

  pickFromPool(pool: string): string {
    return this.known.getValue(pool, this.rollOneIn(2) ? 0 : this.#random(fc.nat, 60));
  }

  generateOddValue(): unknown {
    if (this.rollOneIn(4)) return this.#random(fc.jsonValue, { maxDepth: 3 });
    if (this.rollOneIn(5)) return this.pickFromPool(this.pickOne(['users', 'accounts', 'assignments', 'deliveries']));
    return this.rollOneIn(2) ? this.pickOne(TYPED_TEXTS) : this.pickOne([...ODD_TEXTS, null, true, 0, 1.5, -1, [], {}]);
  }

  garble(text: string): string {
    const at = this.#random(fc.nat, text.length);
    const odd = this.pickOne(this.rollOneIn(2) ? TYPED_TEXTS : ODD_TEXTS);
    return this.pickOne([
      odd,
      text.slice(0, at) + odd + text.slice(at),
      text.slice(0, at) + odd,
      text.slice(0, at),
      text + text,
      text.toUpperCase(),
    ]);
  }

  insertRawValue(json: string): string {
    const strings = [...json.matchAll(/"[^"\\]*"(?=[,}\]])/g)];
    if (strings.length === 0) return json;
    const { 0: replaced, index } = this.pickOne(strings);
    return json.slice(0, index) + this.pickOne(RAW_JSON) + json.slice(index + replaced.length);
  }

  #pickByName(name: string): unknown {
    if (POOLS_BY_NAME[name]) return this.pickFromPool(POOLS_BY_NAME[name]);
    if (VALUES_BY_NAME[name]) return this.pickOne(VALUES_BY_NAME[name]);
    const client = this.known.clients[this.rollOneIn(8) ? 1 : 0] ?? {};
    return GENERATORS_BY_NAME[name]?.(this, client);
  }

  generateAssertion(): string {
    const jti = this.#random(fc.uuid);
    return this.known.createAssertion(
      jti,
      this.rollOneIn(3) ? { [this.pickOne(['iss', 'sub', 'aud', 'jti', 'iat', 'exp'])]: this.generateOddValue() } : {},
    );
  }

  generateValid(document: Json, schema: Json, name = ''): unknown {
    if (schema.pool) return this.pickFromPool(schema.pool);
    const reference = (schema.$ref as string | undefined)?.split('/').at(-1) ?? '';
    const named =
      schema.const === undefined && schema.enum === undefined ? (this.#pickByName(name) ?? this.#pickByName(reference)) : undefined;
    if (named !== undefined) return named;
    if (reference === 'FaultRequest' && this.rollOneIn(2)) return { ...this.pickOne(FAULT_ACTIONS) };
    if (reference === 'RawEvent' && this.rollOneIn(2))
      return { subscription: this.pickFromPool('subscriptions'), body: this.generateOddValue(), allowInvalid: true };
    if (reference !== '') return this.generateValid(document, resolve(document, schema), name);
    if (schema.const !== undefined) return schema.const;
    const listed: readonly unknown[] | undefined = schema.enum ?? schema.examples;
    if (listed) return this.pickOne(listed);
    const { type = schema.properties || schema.allOf ? 'object' : undefined } = schema;
    const alternatives: readonly Json[] | undefined = schema.oneOf ?? schema.anyOf;
    if (alternatives) return this.generateValid(document, this.pickOne(alternatives), name);
    if (Array.isArray(type)) return this.generateValid(document, { ...schema, type: this.pickOne(type) }, name);
    if (type === 'object') return this.#generateObject(document, schema, name);
    if (type === 'array') return this.#generateList(document, schema, name);
    return this.#random(generateScalar, type, schema.pattern, schema.format, schema.minimum);
  }

  #generateList(document: Json, { items = {}, minItems = 0 }: Json, name: string): unknown[] {
    const length = minItems + this.pickOne([0, 1, 2, 3]);
    const found = Array.from({ length }, () => this.generateValid(document, items, name));
    return [...new Map(found.map((item) => [JSON.stringify(item), item])).values()];
  }

  #generateObject(document: Json, schema: Json, name: string): Json {
    if (typeof schema.additionalProperties === 'object') {
      const generateKey = () =>
        KEYS_OF_MAPS[name] ? this.pickFromPool(KEYS_OF_MAPS[name]) : this.pickOne(['one', 'x-two', 'content-type']);
      const length = this.pickOne([0, 1, 2, 3]);
      return Object.fromEntries(Array.from({ length }, () => [generateKey(), this.generateValid(document, schema.additionalProperties)]));
    }
    const parts: Json[] = [schema, ...(schema.allOf ?? []).map((one: Json) => resolve(document, one))];
    const properties: Json = Object.assign({}, ...parts.map((part) => part.properties));
    const required: string[] = [...ALWAYS_PRESENT_MEMBERS, ...parts.flatMap((part) => part.required ?? [])];
    const isIncluded = (key: string) => required.includes(key) || this.rollOneIn(RARE_MEMBERS.includes(key) ? 10 : 2);
    const object: Json = {};
    for (const [key, one] of Object.entries(properties)) if (isIncluded(key)) object[key] = this.generateValid(document, one, key);
    if ('targetType' in object) {
      const [type, pool] = this.pickOne(TARGET_POOLS);
      object.targetType = type;
      for (const key of ['target', 'targetValue']) if (key in object) object[key] = this.pickFromPool(pool);
    }
    return object;
  }
}

/** Numbers are small, because some are waiting times. */
function generateScalar(type: unknown, pattern?: string, format?: string, minimum = 0): Arbitrary<unknown> {
  if (type === 'integer' || type === 'number') return fc.integer({ min: minimum, max: minimum + 3 });
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (type !== 'string') return fc.jsonValue({ maxDepth: 2 });
  if (format === 'date-time')
    return fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }).map((date) => date.toISOString());
  if (format === 'uri') return fc.constant('http://127.0.0.1:3000/callback');
  return pattern ? fc.stringMatching(new RegExp(pattern), { maxLength: 60 }) : fc.constantFrom('Ada', 'experience', 'x', 'Zoë', '1');
}
