// Loads an OpenAPI 3.0 document in strict mode, in which openapi-backend throws an error for an invalid document, and validates responses.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { OpenAPIBackend } from 'openapi-backend';

const definition = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const backend = new OpenAPIBackend({ definition, strict: true });
await backend.init();
const { examples } = definition.paths['/users/{userId}'].get.responses[200].content['application/json'];
for (const { value } of Object.values(examples)) {
  assert.equal(backend.validateResponse({ ...value, updatedAt: null }, 'getUser').errors, null);
  assert.ok(backend.validateResponse({ ...value, updatedAt: 1 }, 'getUser').errors);
}
