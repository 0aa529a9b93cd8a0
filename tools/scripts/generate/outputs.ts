/** Generates all files from the contract. */
import type { Command } from 'commander';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { writeAgentPages } from './agents.ts';
import { writeCollections } from './collections.ts';
import { findIdProblems, findOperationProblems } from './consistency.ts';
import { findVerbProblems, writeControlTable } from './control-table.ts';
import { readCoverage } from './coverage.ts';
import { readDecisions, writeDecisionTable, writeDecisionTypes } from './decisions.ts';
import { bundleDocuments, DOCUMENTS, type Documents, findShapeProblems, type Json, readTable } from './documents.ts';
import { writeEntityForms } from './entity-forms.ts';
import { addEvents, addExamples } from './examples.ts';
import { findGaps, findMutantGaps } from './gaps.ts';
import { readOperations, writeControlOperations, writeOperations } from './operations.ts';
import { readChecks, writeDecisionsPage, writeErrorsPage, writeRulesPage } from './pages.ts';
import { addOtherRefusals, downgradeOpenapi, moveDefaults, publishAsyncapi, publishOpenapi } from './published.ts';
import { expandEntityPaths } from './published-entities.ts';
import { updateRequirements } from './requirements.ts';
import { readRules, writeRuleTable, writeRuleTypes } from './rules.ts';
import { collectSchemas, extractSchema, writeSchemaReferences, writeSchemaTable } from './schemas.ts';
import { writeEventTypes, writeSchemaTypes, writeTypes } from './types.ts';
import { formatBanner, formatObject, formatString } from './write-typescript.ts';

/** Maps a path, relative to the project's root, to the file's content. */
export type Files = Map<string, string>;

interface Generated {
  /** The files that can be generated from the contract alone. */
  readonly files: Files;
  /**
   * Write `files` first, because this function loads modules that import them.
   * @returns `gaps`: sentences that say what a rule lacks, such as a check
   */
  readPages(): Promise<{ readonly pages: Files; readonly gaps: readonly string[] }>;
}

const PROFILE_SCHEMA = 'conformance/profile.schema.yaml';
const RESULTS_SCHEMA = 'src/report/results.schema.json';
export const GENERATED_FOLDER = 'src/contract/generated';

const formatJson = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** @throws Error with one line per mistake in the contract */
export function readContract(documents: Documents, decisionTable: Json, gates: Json) {
  const problems: string[] = [];
  const operations = { openapi: readOperations(documents.openapi, problems), control: readOperations(documents.control, problems) };
  const rules = readRules(documents, operations, problems);
  const decisions = readDecisions(decisionTable, operations.openapi, problems);
  const events = Object.fromEntries(
    Object.values<Json>(documents.asyncapi.components?.messages ?? {}).map(({ name, payload }) => [name, payload]),
  );
  problems.push(...findShapeProblems(GATES, gates, 'openapi/gates.yaml#'), ...findIdProblems({ rules, decisions, gates }, documents));
  for (const operation of operations.openapi) problems.push(...findOperationProblems(operation, documents.openapi));
  problems.push(...findVerbProblems(documents.control, operations.control));
  const services = operations.openapi.map(({ id }) => id);
  for (const { id } of operations.control)
    if (services.includes(id)) problems.push(`openapi/control.yaml: the operation ${id} also exists in openapi/openapi.yaml`);
  const listed: string[] = documents.control.components?.schemas?.EventType?.enum ?? [];
  if (listed.join() !== Object.keys(events).join())
    problems.push(`openapi/schemas/world.yaml#/EventType does not list the events of openapi/asyncapi.yaml`);
  if (problems.length > 0) throw new Error(`the contract has errors:\n  ${problems.join('\n  ')}`);
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

export async function generateFrom(root: string): Promise<Generated> {
  const documents = bundleDocuments(root);
  const { openapi, asyncapi, authorization, control } = documents;
  const gates = readTable(root, 'openapi/gates.yaml');
  const { operations, rules, decisions, events } = readContract(documents, readTable(root, 'openapi/decisions.yaml'), gates);
  const schemas = collectSchemas(documents, operations, events);
  const sources = DOCUMENTS.map((name) => `openapi/${name}.yaml`);
  const recorded = readTable(root, 'openapi/examples.json');
  const published = addExamples(addOtherRefusals(publishOpenapi(openapi)), recorded);
  const generated: Record<string, string> = {
    'openapi.json': formatJson(published),
    'openapi-3.0.json': formatJson(downgradeOpenapi(published)),
    'asyncapi.json': formatJson(addEvents(publishAsyncapi(asyncapi), recorded)),
    'authorization.json': formatJson(addExamples(publishOpenapi(authorization), recorded)),
    'control.json': formatJson(addExamples(moveDefaults(publishOpenapi(expandEntityPaths(control))), recorded)),
    'service.ts': await writeTypes(openapi, 'openapi/openapi.yaml'),
    'authorization.ts': await writeTypes(authorization, 'openapi/authorization.yaml'),
    'control.ts': await writeTypes(control, 'openapi/control.yaml'),
    'events.ts': (await writeEventTypes(asyncapi, 'openapi/asyncapi.yaml')) + writeEventNames(Object.keys(events)),
    'profile.ts': await writeSchemaTypes('Profile', readTable(root, PROFILE_SCHEMA), PROFILE_SCHEMA),
    'results.ts': await writeSchemaTypes('Results', readTable(root, RESULTS_SCHEMA), RESULTS_SCHEMA),
    'operations.ts': writeOperations(operations.openapi),
    'control-operations.ts': writeControlOperations(operations.control),
    'control-table.ts': writeControlTable(control, operations.control),
    'rules.ts': writeRuleTypes(rules, operations.openapi, sources),
    'rules-table.ts': writeRuleTable(sources),
    'rules.json': formatJson(rules),
    'decisions.ts': writeDecisionTypes(decisions, operations.openapi),
    'decisions-table.ts': writeDecisionTable(),
    'decisions.json': formatJson(decisions),
    'gates.ts': writeGates(gates),
    'entity-forms.ts': writeEntityForms(control),
    'schema-references.ts': writeSchemaReferences(schemas, sources),
    'schemas.ts': writeSchemaTable(sources),
    'schemas.json': formatJson(schemas.collections),
  };
  const files: Files = new Map(Object.entries(generated).map(([name, content]) => [`${GENERATED_FOLDER}/${name}`, content]));
  // Equals the output of the openapi-typescript command in the example's README.
  files.set('examples/provider-app/src/generated/service.d.ts', COMMENT_HEADER + astToString(await openapiTS(formatJson(published))));
  files.set('fixtures/world.schema.json', formatJson(extractSchema(control, 'World')));
  files.set('docs/decisions.md', writeDecisionsPage(decisions));
  const order = [...operations.openapi.map(({ id }) => id), ...Object.keys(events)];
  files.set('docs/errors.md', writeErrorsPage(rules, decisions, gates, order));
  const readPages: Generated['readPages'] = async () => {
    const [checks, coverage] = [readChecks(root), readCoverage(root)];
    const pages = new Map([
      ...updateRequirements(root, rules, checks),
      ['docs/rules.md', writeRulesPage(rules, order, checks, coverage.rows)],
      ['src/cli/config.schema.json', formatJson(await writeConfigSchema())],
      ...writeCollections(operations.openapi, recorded, { baseUrl: documents.openapi.servers[0].url, token: await readToken() }),
      ...writeAgentPages(root, await listCommands()),
    ]);
    return { pages, gaps: [...findGaps(rules, { checks, coverage }), ...findMutantGaps(root)] };
  };
  return { files, readPages };
}

/** @returns the ready-made token `full` of the demo world, which is the same in every kit */
async function readToken(): Promise<string> {
  const { createKit } = await import('../../../src/kit.ts');
  await using kit = await createKit({ port: 0 });
  return (await kit.tokens()).full!;
}

async function listCommands(): Promise<Command[]> {
  const { createProgram, listWithSubcommands } = await import('../../../src/cli/program.ts');
  return listWithSubcommands(await createProgram([]));
}

async function writeConfigSchema(): Promise<object> {
  const [{ listConfigOptions }, { createConfigSchema }] = await Promise.all([
    import('../../../src/cli/config-options.ts'),
    import('../../../src/cli/config-schema.ts'),
  ]);
  return createConfigSchema((await listCommands()).flatMap(listConfigOptions));
}

/** Writes the list of event types and the type `EventOf`, which openapi-typescript does not generate. */
function writeEventNames(types: string[]): string {
  return `
/** Every event type (Events › Event types). */
export const eventTypes = [
${types.map((type) => `  ${formatString(type)},\n`).join('')}] as const;

export type EventType = (typeof eventTypes)[number];

/** The event of one type. */
export type EventOf<Type extends EventType> = Extract<ExperienceProviderEvent, { type: Type }>;
`;
}

function writeGates(gates: Json): string {
  return `${formatBanner('openapi/gates.yaml')}
export interface Gate {
  status: number;
  title: string;
  /** A sentence that says which requests the gate refuses. */
  text: string;
}

/** The problems for requests that no operation handles: no operation has the path, or the request fails before the operation starts. */
export const gates = ${formatObject(gates)} as const satisfies Record<string, Gate>;

export type GateId = keyof typeof gates;
`;
}
