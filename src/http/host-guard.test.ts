import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHostGuard } from './host-guard.ts';

const loopback = createHostGuard();
const problemOf = (host: string, guard = loopback, target = '/') => guard(host, target)?.reason;

const HOSTS: Readonly<Record<string, readonly string[]>> = {
  allowed: [
    'localhost',
    'LOCALHOST:4010',
    'localhost.',
    'kit.localhost:1',
    '127.255.1.2:80',
    '[::1]:4010',
    '[0:0:0:0:0:0:0:1]',
    'localhost:',
  ],
  'http.unknown-host': [
    'evil.example',
    'localhost.evil.example',
    'notlocalhost',
    '127.0.0.1.evil.example',
    '127.1',
    '128.0.0.1',
    '0.0.0.0',
    '[::2]',
    '[::ffff:127.0.0.1]',
  ],
  'http.malformed-request': [
    '',
    '.',
    ':80',
    'localhost:99999',
    'localhost:80:80',
    'localhost:+1',
    'user@localhost',
    'localhost/a',
    '[::1',
    '::1',
  ],
};
for (const [result, hosts] of Object.entries(HOSTS))
  for (const host of hosts) test(`the Host ${JSON.stringify(host)}: ${result}`, () => assert.equal(problemOf(host) ?? 'allowed', result));

test('the result for a Host header does not depend on earlier checks', () => {
  const guard = createHostGuard();
  assert.deepEqual(
    ['localhost', 'evil.example', 'localhost', 'evil.example'].map((host) => problemOf(host, guard)),
    [undefined, 'http.unknown-host', undefined, 'http.unknown-host'],
  );
});

test('host names in the allow-list are allowed with any port and in any letter case, and other host names are refused', () => {
  const guard = createHostGuard({ allow: ['Kit.Example.com', '10.0.0.7', '2001:db8::7', 'b\u00fccher.example'] });
  for (const host of ['kit.example.com:8080', 'KIT.example.com', '10.0.0.7:1', '[2001:db8:0::7]:1', 'xn--bcher-kva.example']) {
    assert.equal(problemOf(host, guard), undefined, host);
  }
  for (const host of ['a.kit.example.com', 'example.com', '10.0.0.8']) assert.equal(problemOf(host, guard), 'http.unknown-host', host);
});

test('a wildcard allows every subdomain of a domain, but not the domain itself', () => {
  const guard = createHostGuard({ allow: ['*.example.com'] });
  for (const host of ['a.example.com', 'a.b.example.com:1']) assert.equal(problemOf(host, guard), undefined, host);
  for (const host of ['example.com', 'evilexample.com', 'a.example.com.evil.example'])
    assert.equal(problemOf(host, guard), 'http.unknown-host', host);
});

for (const entry of ['', '*', '*.', 'a:80', 'http://a', 'a/b', 'a b', '[::1]:80', '*.*.example.com', '[zz]']) {
  test(`${JSON.stringify(entry)} is refused as an entry of the allow-list`, () => {
    assert.throws(() => createHostGuard({ allow: [entry] }), /An allowed host must be/);
  });
}

test('if the service listens on an IP address, the guard allows this address in the Host header', () => {
  assert.equal(problemOf('192.168.1.5:4010', createHostGuard({ bind: '192.168.1.5' })), undefined);
  assert.equal(problemOf('[fd00::5]:4010', createHostGuard({ bind: 'fd00::5' })), undefined);
  assert.equal(problemOf('box.example', createHostGuard({ bind: 'box.example' })), 'http.unknown-host');
});

test('the guard checks the Host header, and the authority of a request target in absolute form', () => {
  assert.equal(problemOf('localhost', loopback, 'http://evil.example/'), 'http.unknown-host');
  assert.equal(problemOf('evil.example', loopback, 'http://localhost/'), 'http.unknown-host');
  assert.equal(problemOf('localhost', loopback, 'http://localhost@evil.example/'), 'http.malformed-request');
  assert.equal(problemOf('localhost', loopback, 'http://localhost:1/a'), undefined);
  assert.equal(problemOf('localhost', loopback, '*'), undefined);
});

test('the guard accepts a request without a Host header', () => assert.equal(loopback(undefined, '/'), undefined));

test('the refusal of a Host header names the option that allows the host', () => {
  assert.match(loopback('kit.example', '/')?.detail ?? '', /--allow-host kit\.example/);
});
