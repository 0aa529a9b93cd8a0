/** Generates all files from the contract. */

import { checkAcross, checkIds, checkOperations } from './check.ts';
import { readDecisions, writeDecisionTable, writeDecisionTypes } from './decisions.ts';
import { bundleDocuments, Problems, reachable, readTable } from './documents.ts';
import { readEvents, writeEventNames } from './events.ts';
import type { Files } from './files.ts';
import { writeGates } from './gates.ts';
import { readOperations, writeControlOperations, writeOperations } from './operations.ts';
import { readChecks, writeDecisionsPage, writeRulesPage } from './pages.ts';
import { readRules, writeRuleTable, writeRuleTypes } from './rules.ts';
import { collectSchemas, type SchemaSource, standalone, writeSchemaReferences, writeSchemaTable } from './schemas.ts';
import { writeEventTypes, writeSchemaTypes, writeTypes } from './types.ts';

const folder = 'src/contract/generated';
const PROFILE = 'conformance/profile.schema.yaml';
export const generatedFolders = [folder];

const sources = ['openapi/openapi.yaml', 'openapi/asyncapi.yaml', 'openapi/authorization.yaml', 'openapi/control.yaml'];
const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

export interface Generated {
  /** The files that depend on the contract alone. */
  readonly files: Files;
  /** The pages that list the rules with the checks of the suite. The suite imports `files`, so these must be written first. */
  pages(): Promise<Files>;
}

/** Reads the contract below `root`. @throws Error with all mistakes of the contract, one per line */
export async function generateFrom(root: string): Promise<Generated> {
  const problems = new Problems();
  const documents = bundleDocuments(root);
  const { openapi, asyncapi, authorization, control } = documents;
  const operations = readOperations(openapi, problems);
  const controlOperations = readOperations(control, problems);
  const rules = readRules(documents, { openapi: operations, control: controlOperations }, problems);
  const decisions = readDecisions(readTable(root, 'openapi/decisions.yaml'), operations, problems);
  const gates = readTable(root, 'openapi/gates.yaml');
  const events = readEvents(asyncapi, problems);
  const gateTypes = writeGates(gates, problems);
  checkIds({ rules, decisions, gates }, documents, problems);
  checkOperations(operations, openapi, problems);
  checkAcross(documents, [...operations, ...controlOperations], events, problems);
  problems.throwIfAny();

  const parts = [
    { name: 'openapi', document: openapi, operations },
    { name: 'asyncapi', document: asyncapi, operations: [] },
    { name: 'authorization', document: authorization, operations: [] },
    { name: 'control', document: control, operations: controlOperations },
  ] satisfies SchemaSource[];
  const schemas = collectSchemas(parts, events);
  const world = { $ref: '#/components/schemas/World' };
  const generated: [string, string][] = [
    ['openapi.json', json(openapi)],
    ['asyncapi.json', json(asyncapi)],
    ['authorization.json', json(authorization)],
    ['control.json', json(control)],
    ['service.ts', await writeTypes(openapi, 'openapi/openapi.yaml')],
    ['authorization.ts', await writeTypes(authorization, 'openapi/authorization.yaml')],
    ['control.ts', await writeTypes(control, 'openapi/control.yaml')],
    ['events.ts', (await writeEventTypes(asyncapi, 'openapi/asyncapi.yaml')) + writeEventNames(events)],
    ['profile.ts', await writeSchemaTypes('Profile', readTable(root, PROFILE), PROFILE)],
    ['operations.ts', writeOperations(operations)],
    ['control-operations.ts', writeControlOperations(controlOperations)],
    ['rules.ts', writeRuleTypes(rules, operations, sources)],
    ['rules-table.ts', writeRuleTable(sources)],
    ['rules.json', json(rules)],
    ['decisions.ts', writeDecisionTypes(decisions, operations)],
    ['decisions-table.ts', writeDecisionTable()],
    ['decisions.json', json(decisions)],
    ['gates.ts', gateTypes],
    ['schema-references.ts', writeSchemaReferences(schemas, sources)],
    ['schemas.ts', writeSchemaTable(sources)],
    ['schemas.json', json(schemas.collections)],
  ];
  const files: Files = new Map(generated.map(([name, content]) => [`${folder}/${name}`, content]));
  files.set('fixtures/world.schema.json', json(standalone(control, 'World', reachable(control, world))));
  files.set('docs/decisions.md', writeDecisionsPage(decisions));
  const order = [...operations.map(({ id }) => id), ...Object.keys(events)];
  return { files, pages: async () => new Map([['docs/rules.md', writeRulesPage(rules, order, readChecks(root))]]) };
}
