import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeAddress, type Network } from './strict-endpoint.ts';

const createNetwork = (address: string, problem?: string): Network => ({
  resolve: async () => [address],
  certificateProblem: async () => problem,
});
const getVerdicts = async (url: string, net: Network) => {
  const { outcomes, notes } = await judgeAddress(url, net);
  return [outcomes.map(({ verdict }) => verdict), notes.length];
};

test('an https URL with a valid certificate and a public address passes', async () => {
  assert.deepEqual(await getVerdicts('https://provider.example.com/events', createNetwork('8.8.8.8')), [['passed', 'passed', 'passed'], 0]);
  assert.deepEqual(await getVerdicts('https://provider.example.com:443/events', createNetwork('8.8.8.8')), [
    ['passed', 'passed', 'passed'],
    0,
  ]);
});

test('an http URL breaks the rules about the scheme and the port', async () => {
  assert.deepEqual(await getVerdicts('http://provider.example.com/', createNetwork('8.8.8.8')), [['failed', 'failed', 'not-testable'], 0]);
});

test('a port other than 443 breaks the rule about the port', async () => {
  assert.deepEqual(await getVerdicts('https://provider.example.com:8443/', createNetwork('8.8.8.8')), [
    ['passed', 'failed', 'not-testable'],
    0,
  ]);
});

test('an invalid certificate breaks the rule, and the message says why it is invalid', async () => {
  const { outcomes } = await judgeAddress('https://provider.example.com/', createNetwork('8.8.8.8', 'certificate has expired'));
  assert.match(outcomes[2]?.message ?? '', /certificate has expired\. Use a certificate for provider\.example\.com/);
});

test('an address that is not public adds a note and breaks no rule', async () => {
  const { notes } = await judgeAddress('https://provider.example.com/', createNetwork('10.1.2.3'));
  assert.match(notes[0] ?? '', /resolves to 10\.1\.2\.3, which is not a public address/);
});
