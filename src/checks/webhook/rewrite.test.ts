import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PublishedEvent } from './check-world.ts';
import { writeDelivery } from './rewrite.ts';
import type { Rewrite } from './scenario.ts';

const event: PublishedEvent = {
  webhookId: '019b76da-a800-7842-89c6-aab35372cefd',
  body: {
    type: 'provisioning.user.created',
    timestamp: '2026-01-01T00:00:00.000Z',
    subscriptionId: 's',
    scope: { experienceId: 'e' },
    data: { userId: 'u', accountId: 'a', updatedAt: '2026-01-01T00:00:00.000Z' },
  },
};
const BASE_MS = Date.parse('2026-01-01T00:00:10Z');
const rewriteEvent = (rewrite: Rewrite) => JSON.parse(writeDelivery(event, rewrite, BASE_MS).body) as typeof event.body;

const spellings: [seconds: number, digits: number | undefined, zone: 'Z' | '+00:00' | undefined, text: string][] = [
  [0, 0, undefined, '2026-01-01T00:00:10Z'],
  [1.5, 1, undefined, '2026-01-01T00:00:11.5Z'],
  [1.5, undefined, undefined, '2026-01-01T00:00:11.500Z'],
  [1.501001, 6, '+00:00', '2026-01-01T00:00:11.501001+00:00'],
];
for (const [seconds, digits, zone, text] of spellings) {
  test(`an instant is written as ${text}`, () => {
    const updatedAt = { seconds, ...(digits !== undefined && { digits }), ...(zone && { zone }) };
    assert.equal(rewriteEvent({ updatedAt }).data.updatedAt, text);
  });
}

test('changing the member order and the white space does not change the content', () => {
  const { body } = writeDelivery(event, { otherSpelling: true }, BASE_MS);
  assert.notEqual(body, JSON.stringify(event.body));
  assert.deepEqual(JSON.parse(body), event.body);
});

test('unknown members do not change the known members', () => {
  for (const unknownMembers of ['envelope', 'scope', 'data'] as const) {
    const body = rewriteEvent({ unknownMembers });
    assert.notDeepEqual(body, event.body);
    assert.partialDeepStrictEqual(body, event.body);
  }
});

test('if an event is rewritten for another Experience, its webhook-id and `scope` change, but its `data` does not', () => {
  const { webhookId } = writeDelivery(event, { ofOtherExperience: 1 }, BASE_MS);
  const { scope, data } = rewriteEvent({ ofOtherExperience: 1 });
  assert.notEqual(webhookId, event.webhookId);
  assert.notDeepEqual(scope, event.body.scope);
  assert.deepEqual(data, event.body.data);
});
