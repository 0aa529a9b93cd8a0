import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { stableUuid } from '../../clock/ids.ts';
import { createKit, type Kit } from '../../kit.ts';
import { createFlow } from '../../testing/oauth-flow.ts';
import { DEFAULT_EPOCH } from '../../world/world.ts';
import { createBrowser } from './testing/browser.ts';

let kit: Kit;
let client: ReturnType<typeof createFlow>;
before(async () => {
  kit = await createKit({ port: 0, login: 'page' });
  client = createFlow(kit.authUrl);
});
after(() => kit.close());

const findPrincipal = (alias: string) => stableUuid('demo', 'principal', alias, Date.parse(DEFAULT_EPOCH));
const createApproval = (alias: string) => ({ principal: findPrincipal(alias), answer: 'approve' });

async function openLoginPage(changes = {}) {
  const user = createBrowser();
  const page = await user.follow(await user.open(client.authorizeUrl(changes)));
  return { user, page, url: page.response.url };
}
type User = Awaited<ReturnType<typeof openLoginPage>>['user'];
async function submitForm(user: User, answer: Awaited<ReturnType<User['submit']>>): Promise<URLSearchParams> {
  assert.equal(answer.response.status, 303, answer.text);
  const { response, text } = await user.follow(answer);
  assert.equal(response.status, 303, text);
  return new URL(response.headers.get('location') ?? '').searchParams;
}

test("the login page's headers forbid scripts, resources from other servers, frames and caching", async () => {
  const { headers } = (await openLoginPage()).page.response;
  assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none';.*frame-ancestors 'none'/);
  assert.doesNotMatch(headers.get('content-security-policy') ?? '', /script-src|form-action/);
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.equal(headers.get('x-frame-options'), 'DENY');
  assert.equal(headers.get('access-control-allow-origin'), null);
});

test('on the login page, the user can approve the request even for a principal with `consent: declines`, and the approval deletes the cookies', async () => {
  const { user, url } = await openLoginPage({ login_hint: '+12065550159' });
  assert.ok((await submitForm(user, await user.submit(url, createApproval('decliner')))).get('code'));
  assert.deepEqual(
    user.cookies().filter((name) => !name.includes('/interaction/')),
    [],
  );
});

test('approval without a known principal results in an error page, and the user can submit the form again', async () => {
  const { user, url } = await openLoginPage();
  const forms: Record<string, string>[] = [
    { answer: 'approve' },
    { ...createApproval('manager'), principal: 'nobody' },
    { principal: findPrincipal('manager') },
  ];
  for (const fields of forms) assert.equal((await user.submit(url, fields)).response.status, 400);
  assert.ok((await submitForm(user, await user.submit(url, createApproval('manager')))).get('code'));
});

test('users do not stay logged in, so the next authorization request shows the login page again', async () => {
  const { user, url } = await openLoginPage();
  await submitForm(user, await user.submit(url, createApproval('manager')));
  const next = await user.follow(await user.open(client.authorizeUrl()));
  assert.match(next.text, /Log in as/);
});

test("two logins in one browser are independent, and one login's cookie does not open the other login", async () => {
  const user = createBrowser();
  const [one, two] = [
    await user.follow(await user.open(client.authorizeUrl())),
    await user.follow(await user.open(client.authorizeUrl({ state: 'two' }))),
  ];
  const cookie = `xpk_interaction=${one.response.url.split('/').at(-1)}`;
  assert.match((await createBrowser().open(one.response.url, { headers: { cookie } })).text, /Log in as/);
  assert.match((await createBrowser().open(two.response.url, { headers: { cookie } })).text, /started in another browser/);
  const first = await submitForm(user, await user.submit(one.response.url, createApproval('manager')));
  const second = await submitForm(user, await user.submit(two.response.url, { answer: 'deny' }));
  assert.deepEqual([first.get('state'), second.get('state'), second.get('error')], ['state-1', 'two', 'access_denied']);
});

test('a login form submitted from a page of another site is refused', async () => {
  const { user, url } = await openLoginPage();
  const foreign: Record<string, string>[] = [{ origin: 'https://evil.example' }, { origin: 'null' }, { 'sec-fetch-site': 'same-site' }];
  for (const headers of foreign) {
    const { response, text } = await user.submit(url, createApproval('manager'), headers);
    assert.equal(response.status, 403);
    assert.match(text, /not sent by this server/);
  }
});

test('only the browser that started a login can submit the login form, and only once', async () => {
  const { user, url } = await openLoginPage();
  const { response, text } = await (await openLoginPage()).user.submit(url, createApproval('manager'));
  assert.equal(response.status, 400);
  assert.match(text, /started in another browser/);
  const answer = await user.submit(url, createApproval('manager'));
  await submitForm(user, answer);
  assert.equal((await user.follow(answer)).response.status, 400);
});

test('if a login form is submitted several times at once, every repeated submission gets 303 or 400, not 500', async () => {
  for (let attempt = 0; attempt < 10; attempt++) {
    const { user, url } = await openLoginPage();
    const first = await user.submit(url, createApproval('manager'));
    const late = Array.from({ length: 10 }, () => user.submit(url, createApproval('manager')));
    const [, ...answers] = await Promise.all([user.follow(first), ...late]);
    for (const { response } of answers) assert.ok([303, 400].includes(response.status), `status ${response.status}`);
  }
});

test('if a login form is submitted twice at once, both submissions together lead to one code', async () => {
  for (let attempt = 0; attempt < 10; attempt++) {
    const { user, url } = await openLoginPage();
    const answers = await Promise.all([1, 2].map(() => user.submit(url, createApproval('manager'))));
    const ends = await Promise.all(answers.map((answer) => (answer.response.status === 303 ? user.follow(answer) : answer)));
    for (const { response } of ends) assert.ok([303, 400].includes(response.status), `status ${response.status}`);
    const codes = ends.flatMap(({ response }) => new URL(response.headers.get('location') ?? 'http://none').searchParams.getAll('code'));
    assert.equal(new Set(codes).size, 1, `${codes.length} codes`);
  }
});

test('a login expires after an hour of kit time', async () => {
  const { user, url } = await openLoginPage();
  await kit.clock.advance('1h');
  const { response, text } = await user.submit(url, createApproval('manager'));
  assert.equal(response.status, 400);
  assert.match(text, /has expired/);
});

test('with an https public URL, redirects stay below its path, and cookies are sent only over TLS', async () => {
  const proxied = await createKit({ port: 0, login: 'page', publicUrl: 'https://kit.test/xpk' });
  try {
    const local = createFlow(`http://127.0.0.1:${proxied.port}/auth`);
    const response = await fetch(local.authorizeUrl(), { redirect: 'manual' });
    assert.match(response.headers.get('location') ?? '', /^\/xpk\/auth\/interaction\//);
    const cookies = response.headers.getSetCookie();
    assert.equal(cookies.length, 2);
    for (const cookie of cookies) assert.match(cookie, /path=\/xpk\/auth\/.*; samesite=lax; secure; httponly/i);
  } finally {
    await proxied.close();
  }
});
