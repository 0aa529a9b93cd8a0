import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { createKit } from '../../kit.ts';
import { freePort } from '../../store/testing/free-port.ts';
import { listen } from '../../store/testing/listen.ts';
import { openTarget } from './open-target.ts';

const folder = mkdtempSync(join(tmpdir(), 'xpk-target-'));
const { url: baseUrl, close } = await listen(createServer((_, response) => void response.writeHead(404).end()));
after(async () => {
  await close();
  rmSync(folder, { recursive: true, force: true });
});

function writeProfile(members: object): string {
  const path = join(folder, 'profile.yaml');
  writeFileSync(path, JSON.stringify({ baseUrl, tokens: { full: 'token-of-profile' }, ...members }));
  return path;
}

test('without a profile, the token in the environment is used, and reports do not contain the token', async () => {
  const { settings, notice } = await openTarget({ baseUrl }, { XPK_TOKEN: 'opaque-token' });
  assert.deepEqual(settings.profile, { tokens: { full: 'opaque-token' } });
  assert.deepEqual(settings.secrets, ['opaque-token']);
  assert.match(notice ?? '', /^Only some rules can be tested, because http:.* has no usable control API/);
});

test('without a profile, a token or a control API, the error message explains how to give a token', () =>
  assert.rejects(openTarget({ baseUrl }, {}), {
    name: 'UsageError',
    message: /^http:\S+ cannot be tested without a token, because it has no usable control API\. Set XPK_TOKEN to an access token/,
  }));

test('if the server refuses the token, opening the target fails', async () => {
  await using refusing = await listen(createServer((_, response) => void response.writeHead(401).end()));
  await assert.rejects(openTarget({ baseUrl: refusing.url }, { XPK_TOKEN: 'opaque-token' }), {
    name: 'UsageError',
    message: /^XPK_TOKEN: the server refuses this token/,
  });
});

test('a token in the environment is refused if it contains a space', () =>
  assert.rejects(openTarget({ baseUrl }, { XPK_TOKEN: 'two words' }), { name: 'UsageError', message: /^XPK_TOKEN in the environment/ }));

test('with a profile, the token in the environment is not used', async () => {
  const { settings } = await openTarget({ profile: writeProfile({}) }, { XPK_TOKEN: 'opaque-token' });
  assert.deepEqual(settings.profile.tokens, { full: 'token-of-profile' });
});

test("without a kit's control token, the suite tests the kit with the access token in the environment", async () => {
  const kit = await createKit({ port: 0, controlToken: 'a-control-token-of-tests' });
  try {
    const { full } = await kit.tokens();
    const { settings } = await openTarget({ baseUrl: kit.url }, { XPK_TOKEN: full });
    assert.deepEqual([settings.control, settings.profile], [undefined, { tokens: { full } }]);
    await assert.rejects(openTarget({ baseUrl: kit.url }, {}), /requires its control token/);
    const open = await openTarget({ baseUrl: kit.url, controlToken: 'a-control-token-of-tests' }, { XPK_TOKEN: 'opaque-token' });
    assert.equal(open.settings.control?.token, 'a-control-token-of-tests');
    await open.close();
    assert.match(open.notice ?? '', /^XPK_TOKEN is not used/);
  } finally {
    await kit.close();
  }
});

test('a running kit is tested in a world that ends with the run', async () => {
  await using kit = await createKit({ port: 0, maxWorlds: 1 });
  const listLabels = async () => (await kit.control.GET('/_control/worlds')).data.map(({ label }) => label);
  const { settings, shown, close, notice } = await openTarget({ baseUrl: kit.url }, {});
  assert.deepEqual([await listLabels(), shown.baseUrl, notice], [['xpk conformance'], kit.url, undefined]);
  assert.match(settings.baseUrl, /\/w\/world-[0-9a-f]+$/);
  assert.deepEqual(settings.control, { url: settings.baseUrl, disposable: true });

  const second = await openTarget({ baseUrl: kit.url }, {});
  assert.deepEqual([second.settings.baseUrl, second.settings.control], [kit.url, { url: kit.url }]);
  assert.match(second.notice ?? '', /^The suite tests the first world of the kit.* already has 1 worlds/);
  const chosen = await openTarget({ baseUrl: settings.baseUrl }, {});
  assert.deepEqual([chosen.settings.control, chosen.notice], [{ url: settings.baseUrl }, undefined]);
  await close();
  assert.deepEqual(await listLabels(), []);
  const first = await openTarget({ baseUrl: kit.url, ownWorld: false }, {});
  assert.deepEqual([first.settings.baseUrl, first.notice], [kit.url, undefined]);
});

describe('the base URL of a proxy', () => {
  test('the suite tests the kit behind the proxy, with the control API of the kit', async () => {
    await using kit = await createKit({ port: 0, controlToken: 'a-control-token-of-tests' });
    await using proxy = await createKit({ port: 0, upstream: { api: `${kit.url}/`, auth: kit.authUrl } });
    await using second = await createKit({ port: 0, upstream: { api: proxy.url, auth: `${proxy.url}/auth/` } });
    for (const { url } of [proxy, second]) {
      const { settings, shown, notice, close } = await openTarget({ baseUrl: url, controlToken: 'a-control-token-of-tests' }, {});
      await close();
      assert.deepEqual([settings.baseUrl, shown.baseUrl], [url, url]);
      assert.deepEqual(settings.control, { url: kit.url, token: 'a-control-token-of-tests' });
      assert.match(notice ?? '', /^The suite tests the kit at \S+ through the proxy at \S+, and removes what it creates\.$/);
    }
    await assert.rejects(openTarget({ baseUrl: proxy.url }, {}), {
      message: `The kit at ${kit.url} requires its control token. Give the token with --control-token, or give a --profile.`,
    });
  });

  test('a proxy that does not forward to the authorization server of its kit is refused', async () => {
    await using kit = await createKit({ port: 0 });
    for (const auth of [undefined, kit.url]) {
      await using proxy = await createKit({ port: 0, upstream: { api: kit.url, ...(auth && { auth }) } });
      await assert.rejects(openTarget({ baseUrl: proxy.url }, {}), {
        name: 'UsageError',
        message: new RegExp(` Start the proxy with --auth-to ${kit.authUrl}\\.$`),
      });
    }
  });

  test('a proxy in front of another server is not taken for a kit, and its control token stays with the proxy', async () => {
    const sent: IncomingHttpHeaders[] = [];
    await using server = await listen(
      createServer(({ headers }, response) => {
        sent.push(headers);
        response.writeHead(404).end();
      }),
    );
    await using proxy = await createKit({ port: 0, upstream: { api: server.url }, controlToken: 'a-control-token-of-tests' });
    const flags = { baseUrl: proxy.url, controlToken: 'a-control-token-of-tests' };
    const { settings, shown, notice } = await openTarget(flags, { XPK_TOKEN: 'opaque-token' });
    assert.deepEqual([settings.baseUrl, settings.control, shown.kind], [proxy.url, undefined, 'foreign']);
    assert.match(notice ?? '', new RegExp(`^Only some rules can be tested, because ${server.url} has no usable control API`));
    await assert.rejects(openTarget(flags, {}), { message: new RegExp(`^${server.url} cannot be tested without a token`) });
    const byProfile = await openTarget({ profile: writeProfile({ baseUrl: proxy.url }) }, {});
    assert.deepEqual([byProfile.settings.control, byProfile.settings.profile.tokens], [undefined, { full: 'token-of-profile' }]);
    assert.ok(sent.length > 0);
    assert.ok(!JSON.stringify(sent).includes('a-control-token-of-tests'));
  });
});

test('a world of the suite repeats deliveries soon, unless the run writes down the decisions of the kit', async () => {
  await using kit = await createKit({ port: 0 });
  for (const [flags, schedule] of [
    [{}, 'fast'],
    [{ writeDecisions: 'unused.yaml' }, 'standard'],
  ] as const) {
    const { settings, close } = await openTarget({ baseUrl: kit.url, ...flags }, {});
    const { decisions } = (await (await fetch(`${settings.baseUrl}/_control/info`)).json()) as { decisions: Record<string, unknown> };
    assert.equal(decisions['events.delivery.retry-schedule'], schedule);
    await close();
  }
});

test('if a target cannot be opened, no world is left', async () => {
  await using kit = await createKit({ port: 0 });
  // The receiver cannot use the kit's port.
  await assert.rejects(openTarget({ baseUrl: kit.url, receiver: kit.url }, {}), { name: 'UsageError', message: /^--receiver/ });
  assert.deepEqual((await kit.control.GET('/_control/worlds')).data, []);
});

test('without --base-url and --profile, the suite tests its own kit, and a notice says that XPK_URL is not used', async () => {
  const { shown, notice, close } = await openTarget({}, { XPK_URL: 'http://127.0.0.1:4020' });
  await close();
  assert.equal(shown.name, 'the kit itself');
  assert.match(notice ?? '', /^XPK_URL is not used\. .* --base-url http:\/\/127\.0\.0\.1:4020\.$/);
});

for (const [form, rules] of [
  ['prefixed', ['http.path-forms.same-operation', 'limits.assignability.forms-share']],
  ['flat', ['http.path-forms.same-operation', 'limits.assignability.forms-share', 'assignments.list.updated-at-prefixed']],
] as const) {
  test(`if the profile has only the ${form} path form, rules that need another path form are not applicable`, async () => {
    const { notApplicable } = await openTarget({ profile: writeProfile({ forms: [form] }) });
    assert.deepEqual(
      notApplicable,
      rules.map((rule) => ({ rule, reason: `the profile contains only the ${form} form` })),
    );
  });
}

test('if the profile has both path forms, rules that compare the path forms are applicable', async () => {
  assert.deepEqual((await openTarget({ profile: writeProfile({ forms: ['flat', 'prefixed'] }) })).notApplicable, []);
});

test('a second run with the same accounts is refused until the first run ends, but runs that only read are allowed', async () => {
  const path = writeProfile({ accounts: { main: 'account-1' }, allow: { write: true } });
  const first = await openTarget({ profile: path });
  await assert.rejects(openTarget({ profile: path }), { name: 'UsageError', message: /^Another run \(process \d+\) is testing http/ });
  await first.close();
  await (await openTarget({ profile: path })).close();
  const reading = writeProfile({ accounts: { main: 'account-1' } });
  await Promise.all([openTarget({ profile: reading }), openTarget({ profile: reading })]);
});

const events = { receiver: { publicUrl: 'https://127.0.0.1:1', listen: '127.0.0.1:0', reachableFromHere: false } };

test("the target settings contain the profile's receiver", async () => {
  const { settings } = await openTarget(
    { profile: writeProfile({ events: { ...events, subscription: { id: 'a', path: '/events' } } }) },
    {},
  );
  assert.deepEqual(settings.receiver, { host: '127.0.0.1', port: 0, publicUrl: 'https://127.0.0.1:1' });
});

test('if the public URL does not forward requests to the receiver, opening the target fails', async () => {
  const openWithReceiver = async (publicUrl: string, listen: string) =>
    openTarget({ profile: writeProfile({ events: { receiver: { publicUrl, listen }, subscription: { id: 'a', path: '/events' } } }) }, {});
  const listen = `127.0.0.1:${await freePort()}`;
  await openWithReceiver(`http://${listen}`, listen);
  await assert.rejects(openWithReceiver(`${baseUrl}/hooks`, listen), {
    name: 'UsageError',
    message:
      /^events\.receiver: requests to publicUrl do not arrive at 127\.0\.0\.1:\d+: .*another server answered with 404.*reachableFromHere/,
  });
});

const UNUSABLE_RECEIVERS: [string, () => Parameters<typeof openTarget>[0], RegExp][] = [
  [
    '--receiver without a subscription',
    () => ({ profile: writeProfile({ events }) }),
    /^The profile has events\.receiver but no subscription for it: add events\.subscription/,
  ],
  [
    'a port that is in use',
    () => ({
      profile: writeProfile({
        events: { receiver: { ...events.receiver, listen: baseUrl.slice(7) }, subscription: { id: 'a', path: '/' } },
      }),
    }),
    /^events\.receiver\.listen: cannot listen at 127\.0\.0\.1:\d+ \(.*EADDRINUSE/,
  ],
  [
    'a receiver without a port',
    () => ({ baseUrl, receiver: 'http://127.0.0.1' }),
    /^--receiver must be an http URL with a port and no path/,
  ],
  [
    '--receiver together with a profile',
    () => ({ profile: writeProfile({}), receiver: 'http://127.0.0.1:9000' }),
    /In a profile, set events\.receiver instead\.$/,
  ],
  [
    '--receiver for a server that is not a kit',
    () => ({ baseUrl, receiver: 'http://127.0.0.1:9000' }),
    /^--receiver requires a kit with a control API/,
  ],
];
for (const [what, asked, message] of UNUSABLE_RECEIVERS) {
  test(`${what} is refused with a reason`, () => assert.rejects(openTarget(asked(), {}), { name: 'UsageError', message }));
}
