import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import document from '../../src/contract/generated/authorization.json' with { type: 'json' };
import { createAnswer } from '../target/testing/answer.ts';
import { createFlow } from './oauth-flow.ts';
import type { Parameters } from './oauth-parameters.ts';

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
const { parameters } = document.paths['/authorize'].get;
const REQUESTS = {
  authorize: {
    required: parameters.map(({ name }) => name),
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
  },
  token: document.components.schemas.TokenRequest,
};

function assertPermitted(schema: object, sent: string): void {
  const values: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(sent)) {
    assert.ok(!(name in values), `${name} is sent twice`);
    values[name] = value;
  }
  const validate = ajv.compile({ ...schema, additionalProperties: false });
  assert.ok(validate(values), ajv.errorsText(validate.errors));
}

for (const [title, authentication] of Object.entries<Parameters>({
  'a secret': { client_secret: 'secret' },
  'an assertion': { client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer', client_assertion: 'a.b.c' },
}))
  test(`the contract permits the authorization and token requests of a client with ${title}, if the suite changes nothing in them`, async () => {
    const sent: string[] = [];
    const answer = createAnswer({ status: 200, json: { access_token: 'token' } });
    const { requestTokens } = createFlow({
      server: { authorizeUrl: 'https://auth.test/authorize', tokenUrl: 'https://auth.test/oauth/token' },
      client: { clientId: 'client', redirectUri: 'http://127.0.0.1:3000/callback', authentication: async () => authentication },
      loginHint: '+12065550001',
      async approve(url, get) {
        const callback = new URL('http://127.0.0.1:3000/callback?code=code');
        return { answer: await get(url, {}), callback, location: callback };
      },
      async get(url) {
        sent.push(new URL(url).search);
        return answer;
      },
      async post(_, form) {
        sent.push(form);
        return answer;
      },
    });
    await requestTokens();
    assert.equal(sent.length, 2);
    assertPermitted(REQUESTS.authorize, sent[0]!);
    assertPermitted(REQUESTS.token, sent[1]!);
  });
