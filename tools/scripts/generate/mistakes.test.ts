import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Documents, Json } from './documents.ts';
import { readContract } from './outputs.ts';

interface ContractParts {
  /** The `x-rules` of the response 400. */
  refusals?: Json;
  operationRules?: Json;
  query?: Json;
  flatPath?: string;
  decisions?: Json;
  xDecisions?: string[];
  gates?: Json;
  /** The `x-verb` of a control operation with the parameter `size`. */
  verb?: Json;
}

const createRule = (text: string, more: object = {}) => ({ text, level: 'documented', section: 'Endpoints', ...more });

/** @throws Error with all mistakes */
function readSmallContract(parts: ContractParts) {
  const operation: Json = {
    operationId: 'getThings',
    security: [{ accessToken: ['things:manage'] }],
    parameters: [{ name: 'size', in: 'query', schema: { type: 'string' } }],
    'x-query-schema': 'ThingsQuery',
    'x-decisions': parts.xDecisions ?? [],
    'x-rules': parts.operationRules ?? {},
    responses: {
      '200': { description: 'Things.' },
      '400': { description: 'No.', 'x-rules': parts.refusals ?? { 'things.size': createRule('A bad size gets 400.') } },
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
  const control: Json = {
    paths: {
      '/_control/things': {
        get: {
          operationId: 'listThings',
          parameters: [{ name: 'size', in: 'query', schema: { type: 'string' } }],
          'x-verb': parts.verb ?? { none: 'For tests.' },
          responses: {},
        },
      },
    },
  };
  const documents: Documents = { openapi, asyncapi: {}, authorization: {}, control };
  return readContract(documents, parts.decisions ?? {}, parts.gates ?? {});
}

const decision = {
  question: 'Which?',
  section: 'Endpoints',
  default: 400,
  alternatives: [422],
  means: { 400: 'One.', 422: 'Other.' },
};
const { alternatives: _, ...decisionWithoutAlternatives } = decision;
const decisionWithSchema = {
  ...decisionWithoutAlternatives,
  default: 250,
  values: { type: 'integer', minimum: 0 },
  sample: [0],
  means: {},
};
const createQuery = (id: string) => ({ properties: { size: { 'x-rule': id } } });
const createOpenDecision = (members: Json): ContractParts => ({ decisions: { 'things.open': members } });

test("a consistent contract is accepted, even if a schema's x-rule names one of the operation's decisions", () => {
  readSmallContract({ ...createOpenDecision(decision), xDecisions: ['things.open'] });
  readSmallContract({ ...createOpenDecision(decision), xDecisions: ['things.open'], query: createQuery('things.open') });
});

test('a rule with the same text in two places is one rule', () => {
  const { rules } = readSmallContract({
    refusals: { 'things.size': createRule('One.') },
    operationRules: { 'things.size': createRule('One.') },
  });
  const place = { actor: 'service', document: 'openapi', operations: ['getThings'], status: '400' };
  assert.deepEqual(rules['things.size'], { ...createRule('One.'), ...place });
});

test('an alternative that equals the default is removed from a decision', () => {
  const repeated = { ...decision, alternatives: [400], means: { 400: 'One.' }, notObservedBecause: 'nobody can see it' };
  assert.deepEqual(readSmallContract(createOpenDecision(repeated)).decisions['things.open']?.alternatives, []);
});

test('a decision may describe its values with a schema and a sample', () => {
  assert.deepEqual(readSmallContract(createOpenDecision(decisionWithSchema)).decisions['things.open']?.sample, [0]);
});

const createRefusal = (more: Json): ContractParts => ({ refusals: { 'things.size': createRule('One.', more) } });
const gate = { status: 404, title: 'Unknown path', text: 'No operation has this path.' };
const mistakes: Readonly<Record<string, readonly [ContractParts, RegExp]>> = {
  'an x-rule that is neither a rule nor a decision': [
    { query: { properties: { size: { 'x-rule': { pattern: 'things.sise' } } } } },
    /ThingsQuery\/properties\/size: x-rule names things\.sise, which is neither/,
  ],
  "an x-rule that is not one of the operation's refusals": [
    { query: createQuery('things.other'), operationRules: { 'things.other': createRule('Other.') } },
    /getThings: a request schema names things\.other/,
  ],
  'an id in x-decisions that is not a decision': [
    { xDecisions: ['things.open'] },
    /x-decisions names things\.open, which is not a decision/,
  ],
  'an id that is used for a rule and a decision': [
    { decisions: { 'things.size': decision } },
    /the id things\.size belongs to more than one of: a rule, a decision, a gate/,
  ],
  'a gate with an unknown key': [
    { gates: { 'http.route': { ...gate, txt: '' } } },
    /gates\.yaml#\/http\.route must NOT have additional properties txt/,
  ],
  'a query schema without a parameter': [{ query: { properties: {} } }, /ThingsQuery lacks the query parameter size/],
  'a query schema with a member that is not a parameter': [
    { query: { properties: { size: {}, colour: {} } } },
    /ThingsQuery has colour, which is not a query parameter/,
  ],
  'a flat path that does not match the prefixed path': [
    { flatPath: '/things' },
    /has the flat path \/things where \/experience-things is expected/,
  ],
  'a rule with different texts in two places': [
    { refusals: { 'things.size': createRule('One.') }, operationRules: { 'things.size': createRule('Another.') } },
    /responses\/400\/x-rules: the rule things\.size has a different text or level at another place/,
  ],
  'a rule with an unknown key': [createRefusal({ sectoin: 'Endpoints' }), /things\.size must NOT have additional properties sectoin/],
  'a rule id that does not consist of lower-case words with dots between them': [
    { operationRules: { ThingsSize: createRule('One.') } },
    /x-rules must match pattern/,
  ],
  'a value without a meaning': [
    createOpenDecision({ ...decision, alternatives: [409] }),
    /decisions\.yaml#\/things\.open does not explain the value 409/,
  ],
  'a decision that lists no alternatives and does not say why': [
    createOpenDecision({ ...decision, alternatives: [], means: { 400: 'One.' } }),
    /has no alternative, so it must have the member notObservedBecause/,
  ],
  'a meaning for a value that cannot be chosen': [
    createOpenDecision({ ...decision, alternatives: [] }),
    /explains 422, which is neither the default nor an alternative/,
  ],
  'a decision with an unknown key': [
    createOpenDecision({ ...decision, 'an extra comma': null }),
    /must NOT have additional properties an extra comma/,
  ],
  'a decision with a schema but without sample values': [
    createOpenDecision({ ...decisionWithSchema, sample: undefined }),
    /must have required property 'sample'/,
  ],
  'the default in the sample': [createOpenDecision({ ...decisionWithSchema, sample: [250] }), /lists its default 250 in sample/],
  'a sample outside the range of values': [createOpenDecision({ ...decisionWithSchema, sample: [-1] }), /its value -1 must be >= 0/],
  'a command with an unknown key': [
    { verb: { words: 'things', colour: 'red' } },
    /listThings: x-verb must NOT have additional properties colour/,
  ],
  'a command whose argument is not a field': [
    { verb: { words: 'things', args: ['<name>'] } },
    /listThings: x-verb has the argument name, which is not/,
  ],
  'a renamed field that the operation does not take': [
    { verb: { words: 'things', rename: { sise: 'size' } } },
    /listThings: x-verb names sise, which the operation does not take/,
  ],
};
for (const [mistake, [parts, message]] of Object.entries(mistakes)) {
  test(`the generator reports ${mistake}`, () => assert.throws(() => readSmallContract(parts), message));
}
