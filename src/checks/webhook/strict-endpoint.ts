import { lookup } from 'node:dns/promises';
import { connect } from 'node:tls';
import { classifyAddress } from '../../events/addresses.ts';
import { getHost, type Resolve } from '../../events/destination.ts';
import type { RuleOutcome } from '../outcome.ts';

/** The network functions that tests replace. */
export interface Network {
  readonly resolve: Resolve;
  /** Returns why the certificate is invalid, or undefined if it is valid. */
  readonly certificateProblem: (host: string) => Promise<string | undefined>;
}

const REAL_NETWORK: Network = {
  resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  certificateProblem: findCertificateProblem,
};

export async function judgeAddress(
  url: string,
  network: Network = REAL_NETWORK,
): Promise<{ outcomes: readonly RuleOutcome[]; notes: readonly string[] }> {
  const { protocol, port, hostname } = new URL(url);
  const host = getHost(new URL(url));
  const isHttps = protocol === 'https:';
  const usedPort = port || (isHttps ? '443' : '80');
  const judge = (rule: RuleOutcome['rule'], title: string, message: string | undefined): RuleOutcome => ({
    rule,
    title,
    timeline: [],
    ...(message === undefined ? { verdict: 'passed' } : { verdict: 'failed', message }),
  });
  const outcomes = [
    judge('events.endpoint.https', `The scheme in ${url}.`, isHttps ? undefined : 'The endpoint has an http URL. Use its https URL.'),
    judge(
      'events.endpoint.port-443',
      `The port in ${url}.`,
      usedPort === '443' ? undefined : `The endpoint is on port ${usedPort}. The service delivers to port 443 only.`,
    ),
  ];
  const rule = 'events.endpoint.certificate';
  if (isHttps && usedPort === '443') {
    const problem = await network.certificateProblem(host);
    const advice = `Use a certificate for ${hostname} from a public certificate authority, with its intermediate certificates.`;
    outcomes.push(judge(rule, `${hostname}'s certificate.`, problem && `${problem}. ${advice}`));
  } else {
    const reason = 'the endpoint does not use https on port 443';
    outcomes.push({ rule, title: "The endpoint's certificate.", verdict: 'not-testable', reason, timeline: [] });
  }
  return { outcomes, notes: await describeAddressProblems(host, network.resolve) };
}

export function createUntestedOutcomes(url: string): { outcomes: RuleOutcome[]; notes: string[] } {
  const ids = ['events.endpoint.https', 'events.endpoint.port-443', 'events.endpoint.certificate'] as const;
  const isHttps = url.startsWith('https:');
  const reason = isHttps ? '--strict-endpoint was not given' : 'the check used an http URL, and the service uses another one';
  const outcome = { title: "The endpoint's address.", verdict: 'not-testable', reason, timeline: [] } as const;
  return { outcomes: ids.map((rule) => ({ rule, ...outcome, ...(isHttps && { missing: ['--strict-endpoint'] }) })), notes: [] };
}

async function describeAddressProblems(host: string, resolve: Resolve): Promise<string[]> {
  const addresses = await (async () => resolve(host))().catch(() => []);
  if (addresses.length === 0) return [`${host} does not resolve to an address, so the service cannot reach the endpoint.`];
  return addresses
    .filter((address) => classifyAddress(address) !== 'public')
    .map((address) => `${host} resolves to ${address}, which is not a public address, so the service cannot reach the endpoint.`);
}

const TIMEOUT_MS = 10_000;

function findCertificateProblem(host: string): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const socket = connect({ host, port: 443, servername: host, timeout: TIMEOUT_MS });
  socket.once('secureConnect', () => resolve(undefined));
  socket.once('timeout', () => resolve(`${host} did not answer on port 443`));
  socket.once('error', (error) => resolve(error.message.split('\n', 1)[0]));
  return promise.finally(() => socket.destroy());
}
