import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import type { Capability } from '../../../conformance/target/capabilities.ts';
import { HOOKS } from '../../../conformance/target/hooks.ts';
import { PROFILE_SOURCES } from '../../report/profile-members.ts';
import { resolvePackageFile } from '../../world/package-files.ts';
import { createProfileText } from './init.ts';
import { parseProfile } from './profile-file.ts';

const writeProfile = (text: string, environment: Record<string, string> = {}) => parseProfile(text, 'p.yaml', environment);

const MISTAKES: [string, RegExp][] = [
  ['baseUrl: https://a.test\ntokens:\n  ful: abc', /^p\.yaml:3:3: There is no member "ful" here\. Did you mean "full"\?$/],
  ['baseUrl: ftp://a.test', /^p\.yaml:1:10: "ftp:\/\/a\.test" has the wrong format\. The service's base URL/],
  [`tokens:\n  full: \${XPK_TOKEN}`, /^p\.yaml:2:9: The environment has no XPK_TOKEN\. Set it, or remove this line\.$/],
  [`tokens:\n  full: \${a b}`, /^p\.yaml:2:9: \$\{a b\} is not the name of an environment variable\.$/],
  ['freeNumbers: [12065550100]', /^p\.yaml:1:15: .*Write it in quotes\.$/],
  ['allow: { write: yes }', /^p\.yaml:1:17: This must be true or false\.$/],
  ['forms: [flatt]', /^p\.yaml:1:9: "flatt" is not allowed.*Did you mean "flat"\?$/],
  ['notApplicable:\n  - { rule: users.get.shap, reason: x }', /^p\.yaml:2:13: There is no such rule\. Did you mean "users\.get\.shape"\?$/],
  ['notApplicable:\n  - { rule: users.get.shape }', /^p\.yaml:2:5: The member "reason" is missing\.$/],
  [
    'hooks: { urls: { fault.user: https://a.test } }',
    /^p\.yaml:1:18: There is no member "fault\.user" here\. Did you mean "fault\.users"\?$/,
  ],
  ['hooks: { urls: { fault.users: a.test } }', /^p\.yaml:1:31: "a\.test" has the wrong format/],
  ['baseUrl: [', /^p\.yaml:1:\d+: /],
];
// Await the template before the first test, because the test runner cancels tests that are added later.
const template = await createProfileText();
const environment = Object.fromEntries([...template.matchAll(/\$\{([A-Z_]+)\}/g)].map(([, name]) => [name as string, 'a-token']));

for (const [text, reason] of MISTAKES) {
  test(`an invalid profile is refused with the line and the reason: ${text.replaceAll('\n', ' ')}`, () =>
    assert.throws(() => writeProfile(text), { message: reason }));
}

test('the secrets of a profile include its tokens, the values of headers such as x-api-key, and environment values in headers', () => {
  const text = `baseUrl: https://a.test/\ntokens: { full: literal-token }\nheaders: { x-tenant: "\${TENANT}", x-api-key: key-1, accept-language: en }`;
  const { secrets, profile: read } = writeProfile(text, { TENANT: 'tenant-1' });
  assert.deepEqual(secrets, ['literal-token', 'tenant-1', 'key-1']);
  assert.equal(read.headers?.['x-tenant'], 'tenant-1');
  assert.deepEqual(read.tokens, { full: 'literal-token' });
});

test('the secrets of hooks are environment values in URLs and headers, and every value of a header such as authorization', () => {
  const text = `hooks: { urls: { users: "https://a.test?key=\${KEY}" }, headers: { authorization: Bearer me, x-tenant: "\${TENANT}", accept: any } }`;
  const { secrets, profile: read } = writeProfile(text, { KEY: 'key-1', TENANT: 'tenant-1' });
  assert.deepEqual([...secrets].sort(), ['Bearer me', 'key-1', 'tenant-1']);
  assert.equal(read.hooks?.urls?.users, 'https://a.test?key=key-1');
});

test("the secrets of a profile include each client's secret and private key", () => {
  const text = `authorization:
  secretClient: { id: a, secret: secret-of-a, redirectUri: "http://127.0.0.1/callback" }
  keyClient: { id: b, privateKey: { kty: EC, crv: P-256, x: public-x, y: public-y, d: private-d }, audience: c, redirectUri: "http://127.0.0.1/callback", secret: secret-of-b }`;
  assert.deepEqual(writeProfile(text).secrets, ['secret-of-a', 'secret-of-b', 'private-d']);
});

test('the profile that init writes is valid if XPK_TOKEN is set', () => {
  assert.equal(writeProfile(template, { XPK_TOKEN: 'a-token' }).profile.tokens?.full, 'a-token');
});

test("init writes a profile that marks each block's required members, and lists the members that make the most rules testable", () => {
  assert.match(template, /^# \d+ rules +tokens\.full$/m);
  assert.match(template, /^# {4}publicUrl: https:\/\/hooks\.example\.com # required$/m);
  assert.match(template, /^# {4}reachableFromHere: true$/m);
});

test('the profile that init writes is still valid if all disabled members are enabled', () => {
  // Remove every # that disables a member. A # that is followed by a space starts an explanation.
  const whole = template.replace(/^( *)#(?! \S|$)/gm, '$1');
  assert.equal(writeProfile(whole, environment).profile.notApplicable?.length, 1);
});

// Capabilities that only a kit provides. All other capabilities must be in CAPABILITY_SOURCES.
type KitOnlyCapability = 'clock.advance' | 'events.idle' | 'events.reach' | 'oauth.expiring-client' | 'token.unused-credential';
const CAPABILITY_SOURCES: Readonly<Record<Exclude<Capability, KitOnlyCapability | `${string}.any`>, unknown>> = PROFILE_SOURCES;

test('if reports name a member or a hook as the source of a capability, the profile schema contains it', () => {
  const schema = parse(readFileSync(resolvePackageFile('conformance/profile.schema.yaml'), 'utf8')) as object;
  for (const [capability, source] of Object.entries(CAPABILITY_SOURCES)) {
    const { member, hooks = [] } = (typeof source === 'string' ? { member: source } : source) as { member?: string; hooks?: string[] };
    const place = member?.split('.').reduce<unknown>((part, name) => Reflect.get(Object(Object(part).properties), name), schema);
    assert.ok(member === undefined || place !== undefined, `${capability}: ${member}`);
    for (const action of hooks) assert.ok([capability, action].filter(Boolean).join('.') in HOOKS, `${capability}: ${action}`);
  }
});
