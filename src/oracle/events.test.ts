import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventType } from '../contract/generated/events.ts';
import { ALL_EVENTS, OF_EXPERIENCE } from './event-rules.ts';
import { compareEvents, type ExpectedEvents, toKey } from './events.ts';
import { Names, type ReceivedEvent } from './side.ts';

const CONNECTION = '«connection #1»';
const names = new Names();
names.define(CONNECTION, 'target-id', 'twin-id');
const IDS = ['target-id', 'twin-id'] as const;

const expectations: ExpectedEvents = {
  names,
  optional: new Set(),
  instants: new Map(),
  findCause: () => undefined,
  refused: new Set(),
  occupied: new Map(),
};
const toInstant = (second: number, ms = 7) => new Date(Date.UTC(2030, 0, 1) + second * 1000 + ms).toISOString();

interface Sent {
  readonly action: 'created' | 'activated' | 'deactivated' | 'deleted';
  readonly second: number;
  /** The second of the envelope's timestamp. */
  readonly stampedAt?: number;
  readonly providerId?: string;
  readonly experienceName?: string;
  readonly accountId?: string;
  readonly updatedAt?: string | null;
  readonly webhookId?: string;
  readonly subscription?: string;
  readonly subscriptionId?: string;
}

function createEvents(side: 0 | 1, sent: readonly Sent[]): ReceivedEvent[] {
  return sent.map(
    ({
      action,
      second,
      stampedAt = second,
      webhookId = `${action} ${second}`,
      subscription = ALL_EVENTS,
      subscriptionId = 'its id',
      ...data
    }) => ({
      subscription,
      webhookId,
      json: {
        subscriptionId,
        type: `experience.connection.${action}` satisfies EventType,
        timestamp: toInstant(stampedAt),
        scope: {},
        data: { connectionId: IDS[side], updatedAt: toInstant(second), ...data },
      },
    }),
  );
}

const compare = (target: readonly Sent[], twin: readonly Sent[], changed: Partial<ExpectedEvents> = {}) =>
  compareEvents({ ...expectations, ...changed }, createEvents(0, target), createEvents(1, twin), (name) => name === CONNECTION);

const created: Sent = { action: 'created', second: 1 };
const activated: Sent = { action: 'activated', second: 2 };
const deactivated: Sent = { action: 'deactivated', second: 3 };

test('the same events are no difference, whatever their order of arrival and their instants', () =>
  assert.equal(compare([activated, { ...created, second: 0 }], [created, activated]), undefined));

test('a repeat has the webhook-id of its event, and no other event has it', () => {
  const first = { ...created, webhookId: 'a' };
  assert.equal(compare([first, first], [created]), undefined);
  const { rule, isWaiting } = compare([first, { ...activated, webhookId: 'a' }], [created, activated])!;
  assert.deepEqual([rule, isWaiting], ['events.headers.webhook-id-unique', false]);
});

test('the events of a subscription have its subscriptionId, and no other event has it', () => {
  const elsewhere: Sent = { ...created, subscription: OF_EXPERIENCE };
  const twin = [created, elsewhere, activated];
  assert.equal(compare([created, { ...elsewhere, subscriptionId: 'another id' }, activated], twin), undefined);
  assert.equal(compare([created, elsewhere, activated], twin)!.rule, 'events.subscription.id-distinct');
  assert.equal(compare([created, { ...activated, subscriptionId: 'another id' }], twin)!.rule, 'events.envelope.subscription-id');
});

test('an Experience has one name in all events', () => {
  const named = (event: Sent, experienceName: string): Sent => ({ ...event, experienceName });
  assert.equal(compare([named(created, 'Bot'), named(activated, 'Bot')], [named(created, 'Twin'), named(activated, 'Twin')]), undefined);
  const { rule } = compare([named(created, 'Bot'), named(activated, 'b-1')], [created, activated])!;
  assert.equal(rule, 'events.connection.data.names-experience');
});

test('a target may say with a creation and with a deletion which state begins or ends with it', () => {
  const deleted: Sent = { action: 'deleted', second: 3 };
  const [begins, ends]: Sent[] = [1, 3].map((second) => ({ action: 'deactivated', second, webhookId: `companion ${second}` }));
  assert.equal(compare([created, begins!, activated, ends!, deleted], [created, activated, deleted]), undefined);
  const { rule } = compare([created, begins!, { ...ends!, second: 2 }, activated, ends!, deleted], [created, activated, deleted])!;
  assert.equal(rule, 'events.publish.only-changes');
});

test('an event that begins a state at one side and ends it at the other is not compared', () => {
  const [begins, ends]: Sent[] = [1, 4].map((second) => ({ ...activated, second }));
  const [off, deleted]: Sent[] = [
    { action: 'deactivated', second: 2 },
    { action: 'deleted', second: 4 },
  ];
  assert.equal(compare([created, begins!, off!, deleted!], [created, off!, ends!, deleted!]), undefined);
});

test('an event that may accompany the creation is not compared with one that follows it soon', () => {
  const soon = { ...activated, second: created.second + 0.01 };
  const instants = new Map([[CONNECTION, new Map([[toInstant(soon.second), toInstant(9)]])]]);
  assert.equal(compare([created, { ...activated, second: created.second }], [created, soon], { instants }), undefined);
});

test('the twin ends the state of a deleted connection a millisecond earlier than the connection', () => {
  const deleted: Sent = { action: 'deleted', second: 3.001 };
  assert.equal(compare([created, deleted], [created, { ...deactivated, second: 3 }, deleted]), undefined);
});

test('an event that follows the creation within milliseconds is missed', () => {
  const soon = { ...activated, second: created.second + 0.01 };
  assert.equal(compare([created], [created, soon])!.rule, 'events.connection.activated.on-update');
});

test('a missing event may still arrive', () => {
  const { isWaiting, rule, message } = compare([created], [created, activated])!;
  assert.deepEqual([isWaiting, rule], [true, 'events.connection.activated.on-update']);
  assert.match(message, /^Expected 1 experience\.connection\.activated about «connection #1» .*, not 0$/);
});

test('an event about nothing that happened is a difference at once', () => {
  const { isWaiting, rule } = compare([created, activated], [created])!;
  assert.deepEqual([isWaiting, rule], [false, 'events.publish.only-changes']);
});

test('an event published twice is a difference, and a delivery repeated with its webhook-id is none', () => {
  const again = { ...activated, second: 4 };
  assert.equal(compare([activated, activated], [activated]), undefined);
  assert.equal(compare([activated, again], [activated])!.rule, 'events.publish.once-per-change');
});

test('the state with which a connection begins or ends may have an event', () => {
  const first = { ...activated, second: created.second };
  assert.equal(compare([created, first], [created]), undefined);
  assert.equal(compare([created], [created, first]), undefined);
});

test('the content of an event is compared, except what only the target knows', () => {
  const change = { ...created, providerId: 'p1' };
  assert.equal(compare([change], [{ ...change, providerId: 'p2' }]), undefined);
  const { rule, message } = compare([{ ...created, accountId: 'a1' }], [{ ...created, accountId: 'a2' }])!;
  assert.equal(rule, 'events.connection.data.of-connection');
  assert.match(message, /^Expected accountId "a2" .*, not "a1"$/);
});

test('the updatedAt of events grows with the changes', () =>
  assert.equal(
    compare([created, { ...activated, second: 5 }, deactivated], [created, activated, deactivated])!.rule,
    'events.connection.data.updated-at-grows',
  ));

test('an event shows the updatedAt that the API showed', () => {
  const instants = new Map([[CONNECTION, new Map([[toInstant(1), toInstant(9)]])]]);
  assert.equal(compare([created], [created], { instants })!.rule, 'events.connection.data.updated-at-of-connection');
});

test('the updatedAt of an event is a date-time', () => {
  assert.equal(compare([{ ...created, updatedAt: null }], [created])!.rule, 'events.connection.data.updated-at');
});

test('an optional event may be missing', () => {
  const optional = new Set([toKey(CONNECTION, 'experience.connection.activated')]);
  assert.equal(compare([created], [created, activated], { optional }), undefined);
});

test('events about entities of others are ignored', () =>
  assert.equal(
    compareEvents(expectations, createEvents(0, [created]), [], () => false),
    undefined,
  ));

test('events about a user are ignored if its account was assigned to the Experience before', () => {
  const data = { userId: IDS[0], accountId: 'A1', updatedAt: toInstant(1) };
  const compareWith = (experienceId: string, occupied: string) => {
    const json = { type: 'provisioning.user.created', scope: { experienceId }, data };
    const event = { subscription: 'all events', webhookId: '1', json };
    return compareEvents({ ...expectations, occupied: new Map([['A1', new Set([occupied])]]) }, [event], [], () => true);
  };
  assert.equal(compareWith('«AGENT experience 1»', '«AGENT experience 1»'), undefined);
  assert.equal(compareWith('«AGENT experience 1»', 'another')!.rule, 'events.publish.only-changes');
  // The profile's token may not see each Experience of its provider.
  assert.equal(compareWith('e1', 'another'), undefined);
});

test('a server that shows whole seconds may round the times of one change to different seconds', () => {
  const at = (second: number) => ({ second, updatedAt: toInstant(second, 0) });
  assert.equal(
    compare(
      [
        { ...created, ...at(1) },
        { ...activated, ...at(2) },
      ],
      [created],
    ),
    undefined,
  );
  assert.ok(
    compare(
      [
        { ...created, ...at(1) },
        { ...activated, ...at(3) },
      ],
      [created],
    ),
  );
});

test('a creation that is written in two steps may say in its event when the first was', () => {
  const instants = new Map([[CONNECTION, new Map([[toInstant(1), toInstant(1.01)]])]]);
  const companion: Sent = { ...activated, second: 1.01 };
  assert.equal(compare([created, companion], [created], { instants }), undefined);
  assert.ok(compare([created], [created], { instants }));
});

test('the attempts of one event may differ in members that the document does not name', () => {
  const [first] = createEvents(0, [created]);
  const { scope, ...rest } = first!.json as { readonly scope: object };
  const again = { ...first!, json: { ...rest, scope: { ...scope, attempt: 2 } } };
  assert.equal(
    compareEvents(expectations, [first!, again], createEvents(1, [created]), () => true),
    undefined,
  );
});

test('an event has not happened before its change, but the clocks of two machines may differ a little', () => {
  assert.equal(compare([{ ...created, second: 9, stampedAt: 5 }], [created])?.rule, 'events.envelope.timestamp-of-event');
  assert.equal(compare([{ ...created, second: 9, stampedAt: 8 }], [created]), undefined);
});
