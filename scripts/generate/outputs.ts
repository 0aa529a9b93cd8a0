/** Generates all files from the contract. */
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { idProblems, operationProblems } from './consistency.ts';
import { readCoverage } from './coverage.ts';
import { readDecisions, writeDecisionTable, writeDecisionTypes } from './decisions.ts';
import { bundleDocuments, DOCUMENTS, type Documents, type Json, readTable, shapeProblems } from './documents.ts';
import { writeEntityForms } from './entity-forms.ts';
import { withEvents, withExamples } from './examples.ts';
import { readOperations, writeControlOperations, writeOperations } from './operations.ts';
import { readChecks, writeDecisionsPage, writeErrorsPage, writeRulesPage } from './pages.ts';
import { publishedAsyncapi, publishedOpenapi, withOtherRefusals, withoutDefaults } from './published.ts';
import { withEntities } from './published-entities.ts';
import { readRules, writeRuleTable, writeRuleTypes } from './rules.ts';
import { collectSchemas, standalone, writeSchemaReferences, writeSchemaTable } from './schemas.ts';
import { writeEventTypes, writeSchemaTypes, writeTypes } from './types.ts';
import { banner, block, quote } from './write-typescript.ts';

/** The contents of files, by path relative to the root of the project. */
export type Files = Map<string, string>;

export interface Generated {
  /** The files that can be generated from the contract alone. */
  readonly files: Files;
  /**
   * Generates the pages that list the rules and the checks, and the schema of the configuration file of the command. Write `files` before,
   * because this function loads the suite and the command, which import them.
   */
  pages(): Promise<Files>;
}

const PROFILE = 'conformance/profile.schema.yaml';
const RESULTS = 'src/report/results.schema.json';
export const GENERATED_FOLDER = 'src/contract/generated';

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** Reads the rules, decisions and operations of the contract. @throws Error with all mistakes in the contract, one per line */
export function readContract(documents: Documents, decisionTable: Json, gates: Json) {
  const problems: string[] = [];
  const operations = { openapi: readOperations(documents.openapi, problems), control: readOperations(documents.control, problems) };
  const rules = readRules(documents, operations, problems);
  const decisions = readDecisions(decisionTable, operations.openapi, problems);
  const events = Object.fromEntries(
    Object.values<Json>(documents.asyncapi.components?.messages ?? {}).map(({ name, payload }) => [name, payload]),
  );
  problems.push(...shapeProblems(GATES, gates, 'openapi/gates.yaml#'), ...idProblems({ rules, decisions, gates }, documents));
  for (const operation of operations.openapi) problems.push(...operationProblems(operation, documents.openapi));
  const services = operations.openapi.map(({ id }) => id);
  for (const { id } of operations.control)
    if (services.includes(id)) problems.push(`openapi/control.yaml: the operation ${id} is one of the service, too`);
  const listed: string[] = documents.control.components?.schemas?.EventType?.enum ?? [];
  if (listed.join() !== Object.keys(events).join())
    problems.push(`openapi/schemas/world.yaml#/EventType does not list the events of openapi/asyncapi.yaml`);
  if (problems.length > 0) throw new Error(`the contract has mistakes:\n  ${problems.join('\n  ')}`);
  return { operations, rules, decisions, events };
}

const GATES: Json = {
  type: 'object',
  additionalProperties: {
    type: 'object',
    required: ['status', 'title', 'text'],
    additionalProperties: false,
    properties: { status: { type: 'integer' }, title: { type: 'string' }, text: { type: 'string' } },
  },
};

/** Reads the contract and generates the files. @param root the folder that contains `openapi/` */
export async function generateFrom(root: string): Promise<Generated> {
  const documents = bundleDocuments(root);
  const { openapi, asyncapi, authorization, control } = documents;
  const gates = readTable(root, 'openapi/gates.yaml');
  const { operations, rules, decisions, events } = readContract(documents, readTable(root, 'openapi/decisions.yaml'), gates);
  const schemas = collectSchemas(documents, operations, events);
  const sources = DOCUMENTS.map((name) => `openapi/${name}.yaml`);
  const recorded = readTable(root, 'openapi/examples.json');
  const published = withExamples(withOtherRefusals(publishedOpenapi(openapi)), recorded);
  const generated: Record<string, string> = {
    'openapi.json': json(published),
    'asyncapi.json': json(withEvents(publishedAsyncapi(asyncapi), recorded)),
    'authorization.json': json(publishedOpenapi(authorization)),
    'control.json': json(withoutDefaults(publishedOpenapi(withEntities(control)))),
    'service.ts': await writeTypes(openapi, 'openapi/openapi.yaml'),
    'authorization.ts': await writeTypes(authorization, 'openapi/authorization.yaml'),
    'control.ts': await writeTypes(control, 'openapi/control.yaml'),
    'events.ts': (await writeEventTypes(asyncapi, 'openapi/asyncapi.yaml')) + writeEventNames(Object.keys(events)),
    'profile.ts': await writeSchemaTypes('Profile', readTable(root, PROFILE), PROFILE),
    'results.ts': await writeSchemaTypes('Results', readTable(root, RESULTS), RESULTS),
    'operations.ts': writeOperations(operations.openapi),
    'control-operations.ts': writeControlOperations(operations.control),
    'rules.ts': writeRuleTypes(rules, operations.openapi, sources),
    'rules-table.ts': writeRuleTable(sources),
    'rules.json': json(rules),
    'decisions.ts': writeDecisionTypes(decisions, operations.openapi),
    'decisions-table.ts': writeDecisionTable(),
    'decisions.json': json(decisions),
    'gates.ts': writeGates(gates),
    'entity-forms.ts': writeEntityForms(control),
    'schema-references.ts': writeSchemaReferences(schemas, sources),
    'schemas.ts': writeSchemaTable(sources),
    'schemas.json': json(schemas.collections),
  };
  const files: Files = new Map(Object.entries(generated).map(([name, content]) => [`${GENERATED_FOLDER}/${name}`, content]));
  // What the command openapi-typescript writes, which the README of the example tells users to run.
  files.set('examples/provider-app/src/service-api.d.ts', COMMENT_HEADER + astToString(await openapiTS(json(published))));
  files.set('fixtures/world.schema.json', json(standalone(control, 'World')));
  files.set('docs/decisions.md', writeDecisionsPage(decisions));
  const order = [...operations.openapi.map(({ id }) => id), ...Object.keys(events)];
  files.set('docs/errors.md', writeErrorsPage(rules, decisions, gates, order));
  const pages = async (): Promise<Files> =>
    new Map([
      ['docs/rules.md', writeRulesPage(rules, order, readChecks(root), readCoverage(root).rows)],
      ['src/cli/config.schema.json', json(await writeConfigSchema())],
    ]);
  return { files, pages };
}

async function writeConfigSchema(): Promise<object> {
  const [{ createProgram, listWithSubcommands }, { listConfigOptions }, { createConfigSchema }] = await Promise.all([
    import('../../src/cli/program.ts'),
    import('../../src/cli/config-options.ts'),
    import('../../src/cli/config-schema.ts'),
  ]);
  return createConfigSchema(listWithSubcommands(await createProgram([])).flatMap(listConfigOptions));
}

/** Writes what openapi-typescript does not generate: the list of event types, and the type `EventOf`. */
function writeEventNames(types: string[]): string {
  return `
/** Every event type (Events › Event types). */
export const eventTypes = [
${types.map((type) => `  ${quote(type)},\n`).join('')}] as const;

export type EventType = (typeof eventTypes)[number];

/** The event of one type. */
export type EventOf<Type extends EventType> = Extract<ExperienceProviderEvent, { type: Type }>;
`;
}

function writeGates(gates: Json): string {
  return `${banner('openapi/gates.yaml')}
export interface Gate {
  status: number;
  title: string;
  /** A sentence that says which requests the gate refuses. */
  text: string;
}

/** The problems for requests that no operation handles: no operation has the path, or the request fails before the operation starts. */
export const gates = ${block(gates)} as const satisfies Record<string, Gate>;

export type GateId = keyof typeof gates;
`;
}
