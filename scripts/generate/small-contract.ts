/** A contract of one operation, for the generator's own tests: each takes it and breaks one thing. */
import { readDecisions } from './decisions.ts';
import { type Documents, type JsonObject, Problems } from './documents.ts';
import { readOperations } from './operations.ts';
import { readRules } from './rules.ts';

/** The parts of the small contract that a test can say otherwise. */
export interface Parts {
  /** `x-rules` on the response 400. */
  refusals?: JsonObject;
  /** `x-rules` on the operation. */
  operationRules?: JsonObject;
  /** The schema that judges the query. */
  query?: JsonObject;
  flatPath?: string;
  decisions?: JsonObject;
  xDecisions?: string[];
}

export const rule = (text: string, more: JsonObject = {}): JsonObject => ({ text, level: 'documented', section: 'Endpoints', ...more });

export function smallContract(parts: Parts = {}) {
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
  return { documents, openapi, operations, rules, decisions, gates: {}, problems };
}
