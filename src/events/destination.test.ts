import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkDestination, type DestinationMode } from './destination.ts';

const NAMES: Readonly<Record<string, readonly string[]>> = {
  'receiver.example': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
  'receiver.example.': ['93.184.215.14'],
  'loopback.example': ['127.0.0.1'],
  'mixed-private.example': ['93.184.215.14', '192.168.0.1'],
  'mixed-metadata.example': ['93.184.215.14', 'fe80::1'],
  'mapped.example': ['::ffff:169.254.169.254'],
  'zone.example': ['fe80::1%eth0'],
  'garbage.example': ['not an address'],
  'empty.example': [],
  localhost: ['127.0.0.1', '::1'],
  'rebound.localhost': ['169.254.169.254'],
};

async function resolve(host: string): Promise<readonly string[]> {
  const found = NAMES[host];
  if (found === undefined) throw Object.assign(new Error(`no address of ${host}`), { code: 'ENOTFOUND' });
  return found;
}

async function getRefusal(destination: string, mode: DestinationMode): Promise<string | undefined> {
  const result = await checkDestination(destination, mode, resolve);
  return 'refused' in result ? result.refused : undefined;
}

const ALLOWED = [
  'https://receiver.example/events',
  'https://receiver.example:443/events?a=b',
  'https://receiver.example./events',
  'https:\\\\receiver.example\\events',
  'https://8.8.8.8/',
  'https://172.15.255.255/',
  'https://172.32.0.1/',
  'https://100.63.255.255/',
  'https://223.255.255.255/',
  'https://[2606:4700::1111]/',
  'https://[2001:200::1]/',
];

/** Destinations for local mode only. Some contain an unusual notation of an IPv4 address, which the URL parser normalizes. */
const LOCAL_ONLY = [
  'http://receiver.example/',
  'https://receiver.example:8443/',
  'http://LOCALHOST:3000/events',
  'https://localhost./',
  'https://app.localhost/',
  'https://127.0.0.1./',
  'https://0x7f.1/',
  'https://2130706433/',
  'https://127。0。0。1/',
  'https://0.0.0.0/',
  'https://10.0.0.1/',
  'https://100.64.0.1/',
  'https://172.31.255.255/',
  'https://192.0.0.1/',
  'https://192.0.2.1/',
  'https://192.88.99.1/',
  'https://192.168.1.1/',
  'https://198.19.255.255/',
  'https://198.51.100.1/',
  'https://203.0.113.1/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://[::]/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:8.8.8.8]/',
  'https://[64:ff9b::127.0.0.1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001:db8::1]/',
  'https://[2001:10::1]/',
  'https://[3fff::1]/',
  'https://[fd12:3456::1]/',
  'https://[ff02::1]/',
  'https://[4000::1]/',
  'https://loopback.example/',
  'https://mixed-private.example/',
];

const REFUSED = [
  'https://169.254.169.254/latest/meta-data/',
  'http://169.254.0.1:8080/',
  'https://0xa9fea9fe/',
  'https://100.100.100.200/',
  'https://168.63.129.16/',
  'https://192.0.0.192/',
  'https://[febf::1]/',
  'https://[fd00:ec2::254]/',
  'https://[fd20:ce::254]/',
  'https://[::ffff:169.254.169.254]/',
  'https://[::169.254.169.254]/',
  'https://[::ffff:0:169.254.169.254]/',
  'https://[64:ff9b::a83f:8110]/',
  'https://[64:ff9b:1::169.254.169.254]/',
  'https://[2002:a9fe:a9fe::1]/',
  'https://[2001:0:4136:e378:8000:63bf:5601:5601]/',
  'https://mixed-metadata.example/',
  'https://mapped.example/',
  'https://zone.example/',
  'https://garbage.example/',
  'https://empty.example/',
  'https://unknown.example/',
  'https://rebound.localhost/',
  'https://./',
  'https://receiver..example/',
  'https://:password@receiver.example/',
  'https://receiver.example/#',
  'https://receiver.example:0/',
  'https://receiver.example:65536/',
  'https://[fe80::1%25eth0]/',
  'https://',
  '',
  '//receiver.example/',
  'ftp://receiver.example/',
  'file:///etc/passwd',
  'unix:///var/run/docker.sock',
  'blob:https://receiver.example/1',
];

for (const destination of ALLOWED) {
  test(`${JSON.stringify(destination)} is allowed in both modes`, async () => {
    assert.equal(await getRefusal(destination, 'strict'), undefined);
    assert.equal(await getRefusal(destination, 'local'), undefined);
  });
}

for (const destination of LOCAL_ONLY) {
  test(`${JSON.stringify(destination)} is allowed in local mode only`, async () => {
    assert.match(
      (await getRefusal(destination, 'strict')) ?? 'not refused',
      /strict mode delivers to https on port 443 at public addresses only/,
    );
    assert.equal(await getRefusal(destination, 'local'), undefined);
  });
}

for (const destination of REFUSED) {
  test(`${JSON.stringify(destination)} is refused in both modes`, async () => {
    for (const mode of ['strict', 'local'] as const)
      assert.match((await getRefusal(destination, mode)) ?? 'not refused', /[;:] .*\.$/, mode);
  });
}

test("for an allowed destination, the result contains all of the host's addresses in the resolver's order", async () => {
  const result = await checkDestination('https://receiver.example/events', 'strict', resolve);
  assert.deepEqual('addresses' in result && result.addresses, [
    { address: '93.184.215.14', family: 4 },
    { address: '2606:2800:21f:cb07:6820:80da:af6b:8b2c', family: 6 },
  ]);
});

test('a destination with an IP address needs no name lookup', async () => {
  assert.ok('host' in (await checkDestination('http://[::0001]:3000/', 'local', () => assert.fail('looked up'))));
});

test('a host name that ends in .localhost and does not resolve is treated as loopback', async () => {
  const result = await checkDestination('http://app.localhost:3000/', 'local', resolve);
  assert.ok('host' in result);
  assert.deepEqual(
    result.addresses.map(({ address }) => address),
    ['127.0.0.1', '::1'],
  );
});

test('when a host name is refused, the message contains the address that is not allowed', async () => {
  assert.match((await getRefusal('https://mixed-private.example/', 'strict')) ?? '', /mixed-private\.example resolves to 192\.168\.0\.1/);
});

test('when a destination is refused, the message never contains the password in the URL', async () => {
  for (const destination of ['https://user:hunter2@receiver.example/', 'https://user:hunter2@receiver.example:99999/']) {
    assert.doesNotMatch((await getRefusal(destination, 'local')) ?? '', /hunter2/);
  }
});

test('a destination is refused if the resolver throws synchronously', async () => {
  const result = await checkDestination('https://receiver.example/', 'strict', () => {
    throw new Error('broken');
  });
  assert.ok('refused' in result);
});
