import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Network, strictEndpointOutcomes } from './strict-endpoint.ts';

const network = (address: string, problem?: string): Network => ({
  resolve: async () => [address],
  certificateProblem: async () => problem,
});
const verdicts = async (url: string, net: Network) => {
  const { outcomes, notes } = await strictEndpointOutcomes(url, net);
  return [outcomes.map(({ verdict }) => verdict), notes.length];
};

test('an https URL without a port, with a valid certificate and a public address, passes', async () => {
  assert.deepEqual(await verdicts('https://provider.example.com/events', network('8.8.8.8')), [['passed', 'passed', 'passed'], 0]);
  assert.deepEqual(await verdicts('https://provider.example.com:443/events', network('8.8.8.8')), [['passed', 'passed', 'passed'], 0]);
});

test('an http URL fails by its scheme and its port', async () => {
  assert.deepEqual(await verdicts('http://provider.example.com/', network('8.8.8.8')), [['failed', 'failed', 'not-testable'], 0]);
});

test('another port fails', async () => {
  assert.deepEqual(await verdicts('https://provider.example.com:8443/', network('8.8.8.8')), [['passed', 'failed', 'not-testable'], 0]);
});

test('a certificate that is not valid fails, with the reason', async () => {
  const { outcomes } = await strictEndpointOutcomes('https://provider.example.com/', network('8.8.8.8', 'certificate has expired'));
  assert.match(outcomes[2]?.message ?? '', /certificate has expired\. Use a certificate for provider\.example\.com/);
});

test('an address that is not public is noted, because only another network could show that an address is reachable', async () => {
  const { notes } = await strictEndpointOutcomes('https://provider.example.com/', network('10.1.2.3'));
  assert.match(notes[0] ?? '', /resolves to 10\.1\.2\.3, which is not a public address/);
});
