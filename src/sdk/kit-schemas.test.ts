import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { operations } from '../contract/generated/operations.ts';
import { schemaReferences } from '../contract/generated/schema-references.ts';
import { schemas } from '../contract/generated/schemas.ts';
import { createKit, type Kit, type KitProblem, type RefusedError } from '../kit.ts';
import { SOMETIMES_ABSENT } from './kit-schemas.ts';

type Json = Record<string, unknown>;
const absentMembers: readonly string[] = SOMETIMES_ABSENT;

function requireMembers(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(requireMembers);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { properties, ...others } = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, requireMembers(value)]));
  if (typeof properties !== 'object' || properties === null) return others;
  return { ...others, properties, required: Object.keys(properties).filter((name) => !absentMembers.includes(name)) };
}

const ajv = new Ajv2020({ strict: false, validateFormats: true });
addFormats.default(ajv);
for (const collection of [schemas.openapi, schemas.asyncapi, schemas.control]) ajv.addSchema(requireMembers(collection) as Json);

interface Request {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Json;
}

/** The last requests delete what the first created. */
async function createRequests(kit: Kit): Promise<Readonly<Record<keyof typeof operations, readonly Request[]>>> {
  const experienceId = await kit.id('experiences', 'concierge');
  const accountId = await kit.id('accounts', 'northwind');
  const connection = { experienceConnectionId: await kit.id('connections', 'contoso-scheduler') };
  const assignment = { assignmentId: await kit.id('assignments', 'scheduler-ada') };
  const target = { targetType: 'PHONE_NUMBER', targetValue: '+12065550103' };
  return {
    getExperienceAssignability: [{ path: { experienceId }, query: target }],
    getExperienceAssignments: [{ query: { accountId, pageSize: '2' } }, { query: target }],
    createExperienceAssignment: [{ body: { experienceId, ...target } }],
    getExperienceAssignment: [{ path: assignment }],
    getExperienceConnections: [{ query: { accountId } }],
    createExperienceConnection: [
      { body: { accountId: await kit.id('accounts', 'contoso'), experienceId: await kit.id('experiences', 'directory') } },
    ],
    getExperienceConnection: [{ path: connection }],
    updateExperienceConnection: [{ path: connection, body: { state: 'INACTIVE' } }],
    getUsers: [{ query: { accountId } }, { query: { accountId, pageSize: '1' } }, { query: { accountId: experienceId } }],
    getUser: [{ path: { userId: '2065550001' } }, { path: { userId: await kit.id('users', 'nameless') } }],
    deleteExperienceAssignment: [{ path: assignment }, { path: assignment }],
    deleteExperienceConnection: [{ path: connection }, { path: connection }],
  };
}

for (const pathForm of ['prefixed', 'flat'] as const) {
  test(`every response of a kit in the ${pathForm} path form has all members, except those in SOMETIMES_ABSENT`, async () => {
    await using kit = await createKit({ port: 0 });
    const tokens = await kit.tokens();
    const validated = new Set<string>();
    for (const [id, requests] of Object.entries(await createRequests(kit)) as [keyof typeof operations, readonly Request[]][]) {
      const references: Readonly<Record<string, string | undefined>> = schemaReferences.responses[id];
      for (const { path = {}, query = {}, body } of requests) {
        const url = kit.url + operations[id].forms[pathForm].replace(/\{(\w+)\}/g, (_, name: string) => path[name] as string);
        for (const token of ['none', 'no-scopes', 'outsider', 'full']) {
          const response = await fetch(`${url}?${new URLSearchParams(query)}`, {
            method: operations[id].method,
            headers: { 'content-type': 'application/json', authorization: `Bearer ${tokens[token]}` },
            ...(body && { body: JSON.stringify(body) }),
          });
          const reference = references[response.status] ?? (response.ok ? references['2XX'] : 'openapi#/$defs/Problem');
          if (reference === undefined) continue;
          const validate = ajv.getSchema(reference)!;
          assert.ok(validate(await response.json()), `${id} ${response.status}: ${ajv.errorsText(validate.errors)}`);
          validated.add(reference);
        }
      }
    }
    const ofService = Object.keys(operations).flatMap((id) => Object.values(schemaReferences.responses[id as keyof typeof operations]));
    assert.deepEqual([...validated].toSorted(), [...new Set<string>(ofService)].toSorted());
  });
}

test("the errors of a kit's problems have a pointer and a message, as their types say", async () => {
  await using kit = await createKit({ port: 0 });
  const headers = { authorization: `Bearer ${await kit.mint()}`, 'content-type': 'application/json' };
  const responses = [
    await fetch(`${kit.url}/users?accountId=x&pageSize=0`, { headers }),
    await fetch(`${kit.url}/experience/assignments`, { method: 'POST', headers, body: '{"targetType":"X"}' }),
  ];
  for (const response of responses) {
    const { errors = [] } = (await response.json()) as KitProblem;
    assert.ok(errors.length > 0);
    for (const { pointer, message } of errors) assert.match(`${pointer} ${message}`, /^[?/]\w+ \S/);
  }
  const refused = await kit.control.POST('/_control/faults', { body: { fault: 'problem', status: 200 } }).catch((error: unknown) => error);
  const { errors } = (refused as RefusedError).problem;
  assert.deepEqual(
    errors?.map(({ pointer }) => pointer),
    ['/status'],
  );
});
