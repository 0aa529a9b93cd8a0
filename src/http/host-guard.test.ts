import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHostGuard } from './host-guard.ts';

const loopbackGuard = createHostGuard();
const getRefusalReason = (host: string, guard = loopbackGuard, target = '/') => guard(host, target)?.reason;

const EXPECTED_RESULTS: Readonly<Record<string, readonly string[]>> = {
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
for (const [result, hosts] of Object.entries(EXPECTED_RESULTS))
  for (const host of hosts)
    test(`a request with the Host ${JSON.stringify(host)} gets ${result}`, () => assert.equal(getRefusalReason(host) ?? 'allowed', result));

test('earlier requests do not change the result for a Host header', () => {
  const guard = createHostGuard();
  assert.deepEqual(
    ['localhost', 'evil.example', 'localhost', 'evil.example'].map((host) => getRefusalReason(host, guard)),
    [undefined, 'http.unknown-host', undefined, 'http.unknown-host'],
  );
});

test('a host name in the allow-list is allowed with any port and in any letter case, and any other host name is refused', () => {
  const guard = createHostGuard({ allow: ['Kit.Example.com', '10.0.0.7', '2001:db8::7', 'b\u00fccher.example'] });
  for (const host of ['kit.example.com:8080', 'KIT.example.com', '10.0.0.7:1', '[2001:db8:0::7]:1', 'xn--bcher-kva.example']) {
    assert.equal(getRefusalReason(host, guard), undefined, host);
  }
  for (const host of ['a.kit.example.com', 'example.com', '10.0.0.8'])
    assert.equal(getRefusalReason(host, guard), 'http.unknown-host', host);
});

test('a wildcard allows every subdomain of a domain, but not the domain itself', () => {
  const guard = createHostGuard({ allow: ['*.example.com'] });
  for (const host of ['a.example.com', 'a.b.example.com:1']) assert.equal(getRefusalReason(host, guard), undefined, host);
  for (const host of ['example.com', 'evilexample.com', 'a.example.com.evil.example'])
    assert.equal(getRefusalReason(host, guard), 'http.unknown-host', host);
});

for (const entry of ['', '*', '*.', 'a:80', 'http://a', 'a/b', 'a b', '[::1]:80', '*.*.example.com', '[zz]']) {
  test(`createHostGuard throws if an allowed host is ${JSON.stringify(entry)}`, () => {
    assert.throws(() => createHostGuard({ allow: [entry] }), /An allowed host must be/);
  });
}

test('if the service listens on an IP address, the guard allows this address in the Host header', () => {
  assert.equal(getRefusalReason('192.168.1.5:4010', createHostGuard({ bind: '192.168.1.5' })), undefined);
  assert.equal(getRefusalReason('[fd00::5]:4010', createHostGuard({ bind: 'fd00::5' })), undefined);
  assert.equal(getRefusalReason('box.example', createHostGuard({ bind: 'box.example' })), 'http.unknown-host');
});

test('the guard checks the Host header, and the authority in an absolute-form request target', () => {
  assert.equal(getRefusalReason('localhost', loopbackGuard, 'http://evil.example/'), 'http.unknown-host');
  assert.equal(getRefusalReason('evil.example', loopbackGuard, 'http://localhost/'), 'http.unknown-host');
  assert.equal(getRefusalReason('localhost', loopbackGuard, 'http://localhost@evil.example/'), 'http.malformed-request');
  assert.equal(getRefusalReason('localhost', loopbackGuard, 'http://localhost:1/a'), undefined);
  assert.equal(getRefusalReason('localhost', loopbackGuard, '*'), undefined);
});

test('the guard accepts a request without a Host header', () => assert.equal(loopbackGuard(undefined, '/'), undefined));

test('when a Host header is refused, the problem names the option that allows the host', () => {
  assert.match(loopbackGuard('kit.example', '/')?.detail ?? '', /--allow-host kit\.example/);
});
