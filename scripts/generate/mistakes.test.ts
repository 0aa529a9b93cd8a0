import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkIds, checkOperations } from './check.ts';
import { readDecisions } from './decisions.ts';
import { type Documents, type JsonObject, Problems } from './documents.ts';
import { readOperations } from './operations.ts';
import { readRules } from './rules.ts';

/** The parts of a small contract that a test replaces. */
interface Parts {
  /** `x-rules` on the response 400. */
  refusals?: JsonObject;
  /** `x-rules` on the operation. */
  operationRules?: JsonObject;
  query?: JsonObject;
  flatPath?: string;
  decisions?: JsonObject;
  xDecisions?: string[];
}

const rule = (text: string, more: JsonObject = {}): JsonObject => ({ text, level: 'documented', section: 'Endpoints', ...more });

/** Reads and checks a contract with one operation. @throws Error with all mistakes */
function read(parts: Parts) {
  const operation: JsonObject = {
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
  const openapi: JsonObject = {
    paths: {
      '/experience/things': { $ref: '#/components/pathItems/things' },
      [parts.flatPath ?? '/experience-things']: { $ref: '#/components/pathItems/things' },
    },
    components: {
      pathItems: { things: { get: operation } },
      schemas: { ThingsQuery: parts.query ?? { properties: { size: { type: 'string', 'x-rule': 'things.size' } } } },
    },
  };
  const problems = new Problems();
  const documents: Documents = { openapi, asyncapi: {}, authorization: {}, control: {} };
  const operations = readOperations(openapi, problems);
  const rules = readRules(documents, { openapi: operations }, problems);
  const decisions = readDecisions(parts.decisions ?? {}, operations, problems);
  checkIds({ rules, decisions, gates: {} }, documents, problems);
  checkOperations(operations, openapi, problems);
  problems.throwIfAny();
  return { rules, decisions };
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
const open = (members: JsonObject): Parts => ({ decisions: { 'things.open': members } });

test('a consistent contract is accepted, and an x-rule may name a decision of its operation', () => {
  read({ ...open(decision), xDecisions: ['things.open'] });
  read({ ...open(decision), xDecisions: ['things.open'], query: query('things.open') });
});

test('a rule with the same text at two places is one rule', () => {
  const { rules } = read({ refusals: { 'things.size': rule('One.') }, operationRules: { 'things.size': rule('One.') } });
  const place = { actor: 'service', document: 'openapi', operations: ['getThings'], status: '400' };
  assert.deepEqual(rules['things.size'], { ...rule('One.'), ...place });
});

test('an alternative that repeats the default is dropped, and a decision with free values keeps its sample', () => {
  assert.deepEqual(read(open({ ...decision, alternatives: [400], means: { 400: 'One.' } })).decisions['things.open']?.alternatives, []);
  assert.deepEqual(read(open(withValues)).decisions['things.open']?.sample, [0]);
});

const refusal = (more: JsonObject): Parts => ({ refusals: { 'things.size': rule('One.', more) } });
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
  'an id of a rule and a decision': [{ decisions: { 'things.size': decision } }, /decisions\.yaml: things\.size is a rule, too/],
  'a query schema without a parameter': [{ query: { properties: {} } }, /ThingsQuery lacks the query parameter size/],
  'a query schema with a member that is no parameter': [
    { query: { properties: { size: {}, colour: {} } } },
    /ThingsQuery has colour, which is no query parameter/,
  ],
  'a flat path of another prefixed path': [{ flatPath: '/things' }, /has the flat path \/things where \/experience-things is expected/],
  'a rule with different texts at two places': [
    { refusals: { 'things.size': rule('One.') }, operationRules: { 'things.size': rule('Another.') } },
    /responses\/400: the rule things\.size reads differently at openapi\/openapi\.yaml#.*\/things\/get/,
  ],
  'a rule of an unknown level': [refusal({ level: 'certain' }), /openapi\.yaml#.*: the rule things\.size has the unknown level certain/],
  'a rule with an unknown actor': [refusal({ actor: 'nobody' }), /the rule things\.size has the unknown actor nobody/],
  'a rule with an unknown key': [refusal({ sectoin: 'Endpoints' }), /the rule things\.size has the unknown key sectoin/],
  'a rule id that is not dotted lower-case words': [
    { operationRules: { ThingsSize: rule('One.') } },
    /the rule id ThingsSize is not dotted lower-case words/,
  ],
  'a value without a meaning': [open({ ...decision, alternatives: [409] }), /decisions\.yaml#\/things\.open: does not say what 409 means/],
  'a meaning of a value that cannot be chosen': [open({ ...decision, alternatives: [] }), /explains 422, which cannot be chosen/],
  'a decision with an unknown key': [open({ ...decision, 'a comma too many': null }), /has the unknown key a comma too many/],
  'free values without a sample': [open({ ...withValues, sample: [] }), /has values and no sample of them/],
  'the default in the sample': [
    open({ ...withValues, sample: [250] }),
    /has 250 in its sample, which is its default or none of its values/,
  ],
  'a sample outside of the range': [open({ ...withValues, sample: [-1] }), /has -1 in its sample/],
  'a sample of another type': [open({ ...withValues, sample: ['0'] }), /has 0 in its sample/],
};
for (const [mistake, [parts, message]] of Object.entries(mistakes)) {
  test(`the generator reports ${mistake}`, () => assert.throws(() => read(parts), message));
}
