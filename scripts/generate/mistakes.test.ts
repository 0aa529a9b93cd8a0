import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Documents, Json } from './documents.ts';
import { readContract } from './outputs.ts';

/** The values that a test replaces in a small contract. */
interface Parts {
  /** The `x-rules` of the response 400. */
  refusals?: Json;
  /** The `x-rules` of the operation. */
  operationRules?: Json;
  query?: Json;
  flatPath?: string;
  decisions?: Json;
  xDecisions?: string[];
  gates?: Json;
}

const rule = (text: string, more: object = {}) => ({ text, level: 'documented', section: 'Endpoints', ...more });

/** Reads and checks a contract with one operation. @throws Error with all mistakes */
function read(parts: Parts) {
  const operation: Json = {
    operationId: 'getThings',
    security: [{ accessToken: ['things:manage'] }],
    parameters: [{ name: 'size', in: 'query', schema: { type: 'string' } }],
    'x-query-schema': 'ThingsQuery',
    'x-decisions': parts.xDecisions ?? [],
    'x-rules': parts.operationRules ?? {},
    responses: {
      '200': { description: 'Things.' },
      '400': { description: 'No.', 'x-rules': parts.refusals ?? { 'things.size': rule('A bad size gets 400.') } },
    },
  };
  const openapi: Json = {
    paths: {
      '/experience/things': { $ref: '#/components/pathItems/things' },
      [parts.flatPath ?? '/experience-things']: { $ref: '#/components/pathItems/things' },
    },
    components: {
      pathItems: { things: { get: operation } },
      schemas: { ThingsQuery: parts.query ?? { properties: { size: { type: 'string', 'x-rule': 'things.size' } } } },
    },
  };
  const documents: Documents = { openapi, asyncapi: {}, authorization: {}, control: { paths: {} } };
  return readContract(documents, parts.decisions ?? {}, parts.gates ?? {});
}

const decision = {
  question: 'Which?',
  section: 'Endpoints',
  default: 400,
  alternatives: [422],
  means: { 400: 'One.', 422: 'Other.' },
  observable: true,
};
const { alternatives: _, ...plain } = decision;
const withValues = { ...plain, default: 250, values: { type: 'integer', minimum: 0 }, sample: [0], means: {} };
const query = (id: string) => ({ properties: { size: { 'x-rule': id } } });
const open = (members: Json): Parts => ({ decisions: { 'things.open': members } });

test('a consistent contract is accepted, and the x-rule of a schema may name a decision of the operation', () => {
  read({ ...open(decision), xDecisions: ['things.open'] });
  read({ ...open(decision), xDecisions: ['things.open'], query: query('things.open') });
});

test('a rule that is written in two places with the same text is one rule', () => {
  const { rules } = read({ refusals: { 'things.size': rule('One.') }, operationRules: { 'things.size': rule('One.') } });
  const place = { actor: 'service', document: 'openapi', operations: ['getThings'], status: '400' };
  assert.deepEqual(rules['things.size'], { ...rule('One.'), ...place });
});

test('a decision is accepted if an alternative equals the default, which is removed, or if a schema and a sample describe the values', () => {
  const repeated = { ...decision, alternatives: [400], means: { 400: 'One.' }, observable: 'nobody can see it' };
  assert.deepEqual(read(open(repeated)).decisions['things.open']?.alternatives, []);
  assert.deepEqual(read(open(withValues)).decisions['things.open']?.sample, [0]);
});

const refusal = (more: Json): Parts => ({ refusals: { 'things.size': rule('One.', more) } });
const gate = { status: 404, title: 'Unknown path', text: 'No operation has this path.' };
const mistakes: Readonly<Record<string, readonly [Parts, RegExp]>> = {
  'an x-rule that is neither a rule nor a decision': [
    { query: { properties: { size: { 'x-rule': { pattern: 'things.sise' } } } } },
    /ThingsQuery\/properties\/size: x-rule names things\.sise, which is neither/,
  ],
  'an x-rule that is no refusal of the operation': [
    { query: query('things.other'), operationRules: { 'things.other': rule('Other.') } },
    /getThings: a request schema names things\.other/,
  ],
  'x-decisions that name no decision': [{ xDecisions: ['things.open'] }, /x-decisions names things\.open, which is no decision/],
  'an id that a rule and a decision share': [
    { decisions: { 'things.size': decision } },
    /things\.size is two of: a rule, a decision, a gate/,
  ],
  'a gate with an unknown key': [
    { gates: { 'http.route': { ...gate, txt: '' } } },
    /gates\.yaml#\/http\.route must NOT have additional properties txt/,
  ],
  'a query schema without a parameter': [{ query: { properties: {} } }, /ThingsQuery lacks the query parameter size/],
  'a query schema with a member that is no parameter': [
    { query: { properties: { size: {}, colour: {} } } },
    /ThingsQuery has colour, which is no query parameter/,
  ],
  'a flat path of another prefixed path': [{ flatPath: '/things' }, /has the flat path \/things where \/experience-things is expected/],
  'a rule with different texts at two places': [
    { refusals: { 'things.size': rule('One.') }, operationRules: { 'things.size': rule('Another.') } },
    /responses\/400\/x-rules: the rule things\.size has another text or level at another place/,
  ],
  'a rule with an unknown key': [refusal({ sectoin: 'Endpoints' }), /things\.size must NOT have additional properties sectoin/],
  'a rule id that is not dotted lower-case words': [{ operationRules: { ThingsSize: rule('One.') } }, /x-rules must match pattern/],
  'a value without a meaning': [open({ ...decision, alternatives: [409] }), /decisions\.yaml#\/things\.open does not say what 409 means/],
  'a decision without an alternative or a reason': [
    open({ ...decision, alternatives: [], means: { 400: 'One.' } }),
    /has no alternative, and no reason why it is not observed/,
  ],
  'a meaning of a value that cannot be chosen': [open({ ...decision, alternatives: [] }), /explains 422, which cannot be chosen/],
  'a decision with an unknown key': [
    open({ ...decision, 'a comma too many': null }),
    /must NOT have additional properties a comma too many/,
  ],
  'a schema for values without a sample': [open({ ...withValues, sample: [] }), /sample must NOT have fewer than 1 items/],
  'the default in the sample': [open({ ...withValues, sample: [250] }), /has its default 250 in its sample/],
  'a sample that is outside of the range of values': [open({ ...withValues, sample: [-1] }), /its value -1 must be >= 0/],
};
for (const [mistake, [parts, message]] of Object.entries(mistakes)) {
  test(`the generator reports ${mistake}`, () => assert.throws(() => read(parts), message));
}
