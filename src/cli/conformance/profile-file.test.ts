import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import type { Capability } from '../../../conformance/target/capabilities.ts';
import { HOOKS } from '../../../conformance/target/hooks.ts';
import type { ProfileResources } from '../../../conformance/target/profile.ts';
import { PROFILE_MEMBERS } from '../../report/profile-members.ts';
import { packageFile } from '../../world/package-files.ts';
import { parseProfile } from './profile-file.ts';

const profile = (text: string, environment: Record<string, string> = {}) => parseProfile(text, 'p.yaml', environment);

const mistakes: [string, RegExp][] = [
  ['baseUrl: https://a.test\ntokens:\n  ful: abc', /^p\.yaml:3:3: There is no member "ful" here\. Did you mean "full"\?$/],
  ['baseUrl: ftp://a.test', /^p\.yaml:1:10: "ftp:\/\/a\.test" does not have the right form\. Where the service answers/],
  [`tokens:\n  full: \${XPK_TOKEN}`, /^p\.yaml:2:9: The environment has no XPK_TOKEN\. Set it, or remove this line\.$/],
  [`tokens:\n  full: \${a b}`, /^p\.yaml:2:9: \$\{a b\} is not the name of an environment variable\.$/],
  ['freeNumbers: [12065550100]', /^p\.yaml:1:15: .*Write it in quotes: '12065550100'\.$/],
  ['allow: { write: yes }', /^p\.yaml:1:17: This has to be true or false, not a string\.$/],
  ['forms: [flatt]', /^p\.yaml:1:9: "flatt" is not allowed.*Did you mean "flat"\?$/],
  ['notApplicable:\n  - { rule: users.get.shap, reason: x }', /^p\.yaml:2:13: There is no such rule\. Did you mean "users\.get\.shape"\?$/],
  ['notApplicable:\n  - { rule: users.get.shape }', /^p\.yaml:2:5: The member "reason" is missing\.$/],
  [
    'hooks: { urls: { fault.user: https://a.test } }',
    /^p\.yaml:1:18: There is no member "fault\.user" here\. Did you mean "fault\.users"\?$/,
  ],
  ['hooks: { urls: { fault.users: a.test } }', /^p\.yaml:1:31: "a\.test" does not have the right form/],
  ['baseUrl: [', /^p\.yaml:1:\d+: /],
];
for (const [text, reason] of mistakes) {
  test(`a profile is refused with line and reason: ${text.replaceAll('\n', ' ')}`, () =>
    assert.throws(() => profile(text), { message: reason }));
}

test('tokens and headers from the environment are secret', () => {
  const text = `baseUrl: https://a.test/\ntokens: { full: literal-token }\nheaders: { x-tenant: "\${TENANT}", x-api-key: key-1, accept-language: en }`;
  const { secrets, baseUrl, headers, resources } = profile(text, { TENANT: 'tenant-1' });
  assert.deepEqual(secrets, ['literal-token', 'tenant-1', 'key-1']);
  assert.equal(baseUrl, 'https://a.test');
  assert.equal(headers?.['x-tenant'], 'tenant-1');
  assert.deepEqual(resources, { tokens: { full: 'literal-token' } });
});

test('secrets of hooks are secret', () => {
  const text = `hooks: { urls: { users: "https://a.test?key=\${KEY}" }, headers: { authorization: Bearer me, x-tenant: "\${TENANT}", accept: any } }`;
  const { secrets, hooks } = profile(text, { KEY: 'key-1', TENANT: 'tenant-1' });
  assert.deepEqual([...secrets].sort(), ['Bearer me', 'key-1', 'tenant-1']);
  assert.equal(hooks?.urls?.users, 'https://a.test?key=key-1');
});

test('secrets of clients and private keys are secret', () => {
  const text = `authorization:
  secretClient: { id: a, secret: secret-of-a, redirectUri: "http://127.0.0.1/callback" }
  keyClient: { id: b, privateKey: { kty: EC, crv: P-256, x: public-x, y: public-y, d: private-d }, audience: c, redirectUri: "http://127.0.0.1/callback", secret: secret-of-b }`;
  assert.deepEqual(profile(text).secrets, ['secret-of-a', 'secret-of-b', 'private-d']);
});

const template = readFileSync(packageFile('conformance/profiles/template.yaml'), 'utf8');
const environment = Object.fromEntries([...template.matchAll(/\$\{([A-Z_]+)\}/g)].map(([, name]) => [name as string, 'a-token']));

test('the profile that init writes is valid once its token is set', () => {
  assert.equal(profile(template, { XPK_TOKEN: 'a-token' }).resources.tokens?.full, 'a-token');
});

test('every commented line that init writes is valid, and together they have every member of a profile', () => {
  // A comment in words has one space after the sign.
  const whole = template.replace(/^( *)#(?! \S|$)/gm, '$1');
  const { resources, secrets: _, ...facts } = profile(whole, environment);
  const { properties } = parse(readFileSync(packageFile('conformance/profile.schema.yaml'), 'utf8')) as { properties: object };
  assert.deepEqual(Object.keys({ ...facts, ...resources }).sort(), Object.keys(properties).sort());
});

type Inner = 'tokens' | 'allow' | 'accounts' | 'experiences' | 'users' | 'bodies' | 'authorization' | 'events';
type Members<T> = { readonly [K in keyof Required<T>]: true };
// The type makes sure that this has every member.
const MEMBERS: {
  readonly [K in Inner]: Members<NonNullable<ProfileResources[K]>>;
} & Members<Omit<ProfileResources, Inner>> = {
  tokens: {
    full: true,
    reader: true,
    outsider: true,
    secondCredential: true,
    withoutScope: true,
    withoutClaim: true,
    withoutClaimAndScope: true,
    expired: true,
  },
  allow: { write: true, rate: true },
  accounts: { main: true, second: true, hidden: true, manyUsers: true, manyConnections: true },
  experiences: { main: true, second: true, agent: true, secondAgent: true, readOnly: true, hidden: true, unconnected: true, facts: true },
  users: { hidden: true, base62: true, legacyNumeric: true, ambiguous: true, sort: true, readModelBoundMs: true },
  bodies: { connectionCreate: true, connectionUpdate: true },
  authorization: { url: true, secretClient: true, keyClient: true, loginHint: true, approve: true },
  events: { receiver: true, subscription: true, patienceSeconds: true, graceSeconds: true, repeatsWithinSeconds: true },
  freeNumbers: true,
  numberOfSecondAccount: true,
  manyAssignments: true,
  freeUsers: true,
};

test('the schema has every member of a profile, and no other', () => {
  const { properties } = parse(readFileSync(packageFile('conformance/profile.schema.yaml'), 'utf8')) as {
    properties: Record<string, { properties?: object }>;
  };
  for (const [name, inner] of Object.entries(MEMBERS)) {
    if (inner === true) assert.ok(properties[name], name);
    else assert.deepEqual(Object.keys(properties[name]?.properties ?? {}).sort(), Object.keys(inner).sort(), name);
  }
});

test('the schema has every hook, and no other', () => {
  const { properties } = parse(readFileSync(packageFile('conformance/profile.schema.yaml'), 'utf8')) as {
    properties: { hooks: { properties: { urls: { properties: object } } } };
  };
  assert.deepEqual(Object.keys(properties.hooks.properties.urls.properties).sort(), Object.keys(HOOKS).sort());
});

// The type makes sure that reports know every capability, except those that only the control API of a kit can give.
type OnlyOfKits = 'clock.advance' | 'events.idle' | 'events.reach' | 'token.unused-credential';
const MEMBER_WORDS: Readonly<Record<Exclude<Capability, OnlyOfKits>, string>> = PROFILE_MEMBERS;

test('the members that reports name are in the schema', () => {
  const { properties } = parse(readFileSync(packageFile('conformance/profile.schema.yaml'), 'utf8')) as {
    properties: Record<string, { properties?: object }>;
  };
  for (const [capability, words] of Object.entries(MEMBER_WORDS)) {
    const hooks = words.match(/hooks? ([\w.]+)/)?.[1];
    const [member = '', inner] = words.startsWith('the hook') ? [] : (words.split(',')[0] ?? '').split('.');
    if (hooks !== undefined) assert.ok(hooks in HOOKS, `${capability}: ${hooks}`);
    if (member === '') continue;
    assert.ok(properties[member], `${capability}: ${words}`);
    if (inner !== undefined) assert.ok(inner in (properties[member]?.properties ?? {}), `${capability}: ${words}`);
  }
});
