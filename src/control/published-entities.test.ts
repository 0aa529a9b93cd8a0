import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import control from '../contract/generated/control.json' with { type: 'json' };
import { createKit } from '../kit.ts';
import { COLLECTIONS, getEntityType } from '../world/entities.ts';
import { getSchemaName } from '../world/world.ts';
import { callControl } from './testing/call.ts';

const kit = await createKit({ port: 0 });
after(() => kit.close());

const ajv = new Ajv2020({ strict: false, validateFormats: false, schemas: [{ ...control, $id: 'control' }] });
const schemas = control.components.schemas as Readonly<Record<string, object>>;

/** Also fails if the body contains a member that the schema does not list. */
function assertFits(name: string, body: object): void {
  const validate = ajv.getSchema(`control#/components/schemas/${name}`)!;
  assert.ok(validate(body), `${name}: ${JSON.stringify(validate.errors)}`);
  const { properties = body } = schemas[name] as { properties?: object };
  const described = Object.keys(properties);
  assert.deepEqual(
    Object.keys(body).filter((member) => !described.includes(member)),
    [],
    name,
  );
}

/** A valid request may be refused because of the state, but only an invalid body gets 400. */
function assertAccepted({ status, body }: Awaited<ReturnType<typeof send>>): void {
  assert.ok(status === 200 || (status === 409 && /update\.same-state/.test(String(body.detail))), JSON.stringify(body));
}

const send = (path: string, method = 'GET', body?: object) => callControl<Record<string, unknown>>(kit.url, method, `/state/${path}`, body);

describe("for every collection, requests and responses match the schemas in the control API's document", () => {
  for (const collection of COLLECTIONS)
    test(collection, async () => {
      const name = getSchemaName(collection);
      const { fixed = [], generated = [] } = getEntityType(collection);
      const { body: entities } = await send(collection);
      assertFits(`${name}s`, entities);
      for (const alias of Object.keys(entities).slice(0, 15)) {
        const path = `${collection}/${encodeURIComponent(alias)}`;
        const { body: entity } = await send(path);
        assertFits(`${name}Entity`, entity);
        const omitMembers = (members: readonly string[]) =>
          Object.fromEntries(Object.entries(entity).filter(([key]) => !members.includes(key)));
        const put = omitMembers(generated);
        assertFits(`${name}Put`, put);
        assertAccepted(await send(path, 'PUT', put));
        const patch = omitMembers([...fixed, ...generated, 'id', 'alias']);
        assertFits(`${name}Patch`, patch);
        assertAccepted(await send(path, 'PATCH', patch));
      }
    });
});
