import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { schemaReferences } from '../../../src/contract/generated/schema-references.ts';
import { schemas } from '../../../src/contract/generated/schemas.ts';

const listStrings = (value: unknown): string[] => (typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(listStrings));

test('every schema in the contract compiles, and its references point into the same document', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, schemas: Object.values(schemas) });
  for (const reference of listStrings(schemaReferences)) assert.ok(ajv.getSchema(reference), reference);
});

test('the world schema can be used without other schemas', () => {
  const schema = JSON.parse(readFileSync(new URL('../../../fixtures/world.schema.json', import.meta.url), 'utf8'));
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
  assert.ok(validate({ world: 'small', accounts: { acme: { name: 'Acme' } } }), JSON.stringify(validate.errors));
  assert.ok(!validate({ world: 'small', acounts: {} }));
});
