import { FAULTS, type Fault, STYLES, type Style } from '../../src/checks/webhook/testing/faults.ts';
import { startConsumerLab } from '../../src/testing/consumer-lab.ts';
import { mapConcurrently } from './map-concurrently.ts';
import type { ProofFailure } from './server.ts';

interface KnownConsumer {
  readonly name: string;
  readonly fault?: Fault;
  readonly style?: Style;
}

const faults = Object.keys(FAULTS) as Fault[];

/** Webhook consumers that are correct or have exactly one fault. */
export const CONSUMERS: readonly KnownConsumer[] = [
  { name: 'consumer: correct' },
  ...STYLES.map((style) => ({ name: `consumer: ${style}`, style })),
  ...faults.map((fault) => ({ name: `consumer: ${fault}`, fault })),
];

const CONCURRENCY = 4;

const isFirstOfRule = (fault: Fault): boolean => faults.find((other) => FAULTS[other] === FAULTS[fault]) === fault;

/** Tests the first fault of each rule with all rules. To save time, tests a rule's other faults only with that rule. */
export const testConsumers = () => mapConcurrently(CONCURRENCY, CONSUMERS, testConsumer);

async function testConsumer({ name, fault, style }: KnownConsumer): Promise<ProofFailure[]> {
  const lab = await startConsumerLab({ fault, style });
  try {
    // The random sequences belong to the rule about any order.
    const rules = fault === undefined || isFirstOfRule(fault) ? undefined : [FAULTS[fault], 'events.consumer.any-order' as const];
    const { outcomes } = await lab.check({ rules, random: { seed: 1, count: 10, limitMs: 60_000 } });
    const failed = outcomes.filter(({ verdict }) => verdict === 'failed' || verdict === 'error');
    const expected = fault && FAULTS[fault];
    const unexpected = failed
      .filter(({ rule }) => rule !== expected)
      .map(({ rule, title, verdict, message = '' }) => ({ server: name, rule, text: `${verdict}: ${title}\n${message}` }));
    if (!expected || failed.some(({ rule }) => rule === expected)) return unexpected;
    return [...unexpected, { server: name, rule: expected, text: 'the fault was not detected' }];
  } finally {
    await lab.close();
  }
}
