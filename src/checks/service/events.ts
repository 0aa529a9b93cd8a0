// Headers, bodies and repeats of deliveries that passed a proxy.
import { isDeepStrictEqual } from 'node:util';
import type { RuleId } from '../../contract/generated/rules.ts';
import { toKebabCase } from '../../contract/kebab-case.ts';
import { isAcknowledgement } from '../../domain/deliveries.ts';
import {
  type Delivery,
  expectHeader,
  expectRepeat,
  expectTimestamp,
  expectUniqueIds,
  isSentInLaterSecond,
  pickDocumentedMembers,
  validateEvent,
} from '../../expect/event.ts';
import { isJson, isObject } from '../../expect/response.ts';
import { must, RuleBroken } from '../../expect/rule-broken.ts';
import { isSameId } from '../../expect/same-id.ts';
import type { PassedDelivery } from './deliveries.ts';
import { normalize } from './exchange.ts';
import { type JudgeRule, type RuleJudges, type Shown, show, showThat } from './shown.ts';
import type { Traffic } from './traffic.ts';

/** The largest allowed difference between two clocks, in milliseconds: smaller than the difference between two time zones. */
export const MAX_CLOCK_SKEW_MS = 10 * 60_000;

const isPost = ({ method }: PassedDelivery): boolean => method === 'POST';
const hasEvent = ({ json, isWhole }: PassedDelivery): boolean => isWhole && isObject(json);
const getTimestamp = ({ headers }: Delivery): number => Number(headers['webhook-timestamp']);
const isAcknowledged = ({ call: { status = 0 } }: PassedDelivery): boolean => isAcknowledgement(status);

/** Judges each delivery by itself. @param check throws RuleBroken */
const judgeEach =
  (isAbout: (delivery: PassedDelivery) => unknown, check: (delivery: PassedDelivery) => void = () => {}): JudgeRule =>
  ({ deliveries }) =>
    deliveries.filter(isAbout).map((each) => show(each, () => check(each)));

/** Judges what the schema requires of these JSON pointers. */
const judgeMembers = (isAbout: (delivery: PassedDelivery) => unknown, ...pointers: readonly string[]): JudgeRule =>
  judgeEach(
    (each) => hasEvent(each) && isAbout(each),
    (each) => {
      // Other types than the documented ones are allowed.
      const { type = 'experience.connection.created', event } = each;
      const found = validateEvent(type, each).find(({ pointer, keyword }) => pointers.includes(pointer) && keyword !== 'const');
      if (found) throw new RuleBroken(`Expected that ${found.pointer} of ${String(event.type)} ${found.message}.`);
    },
  );

const COMMON_MEMBERS = ['experienceId', 'experienceName', 'providerId', 'accountId', 'updatedAt'];
const DATA_MEMBERS = {
  connection: ['connectionId', ...COMMON_MEMBERS],
  assignment: ['assignmentId', 'targetType', 'targetValue', ...COMMON_MEMBERS],
  provisioning: ['userId', 'accountId', 'updatedAt'],
} as const;

const judgesOfData = Object.fromEntries(
  Object.entries(DATA_MEMBERS).flatMap(([kind, members]) =>
    members.map((member): [RuleId, JudgeRule] => [
      `events.${kind}.data.${toKebabCase(member)}` as RuleId,
      judgeMembers(({ type, event }) => type?.includes(`${kind}.`) && isObject(event.data), `/data/${member}`),
    ]),
  ),
);

/** The deliveries of each event to each subscription, in order of arrival. Deliveries without a webhook-id are left out. */
const groupByEvent = ({ deliveries }: Traffic): readonly (readonly PassedDelivery[])[] => [
  ...Map.groupBy(
    deliveries.filter(({ webhookId }) => webhookId !== undefined),
    ({ hook, webhookId, event }) => JSON.stringify([hook, webhookId, event.subscriptionId]),
  ).values(),
];

/** Judges each repeat, and the first delivery with its repeats. */
const judgeRepeats =
  (judge: (repeat: PassedDelivery, earlier: readonly [PassedDelivery, ...PassedDelivery[]]) => Shown | undefined): JudgeRule =>
  (traffic) =>
    groupByEvent(traffic).flatMap(([first, ...repeats]) =>
      repeats.flatMap((repeat, index) => judge(repeat, [first!, ...repeats.slice(0, index)]) ?? []),
    );

/** Only shows that the service repeats: it may repeat after any time, so that no record is long enough to show the opposite. */
const judgeRetry = (needsRetry: (status: number | undefined) => boolean): JudgeRule =>
  judgeRepeats((repeat, earlier) => {
    const refused = earlier.findLast(({ call }) => needsRetry(call.status));
    return refused && show(repeat, undefined, [refused]);
  });

function judgeTimestampOfRepeat(repeat: PassedDelivery, earlier: readonly [PassedDelivery, ...PassedDelivery[]]): Shown | undefined {
  const [first] = earlier;
  const isLater = getTimestamp(repeat) > getTimestamp(first);
  if (!isLater && !isSentInLaterSecond(repeat, earlier.length, [...earlier, repeat])) return undefined;
  return showThat(isLater, `webhook-timestamp is later than ${getTimestamp(first)}, that of the first delivery`, repeat, first);
}

function judgeUniqueIds({ deliveries }: Traffic): readonly Shown[] {
  const byId = new Map<string, Delivery>();
  const firsts = new Map<string, PassedDelivery>();
  return deliveries.filter(hasEvent).flatMap((each): Shown[] => {
    const first = firsts.get(each.webhookId ?? '');
    if (each.webhookId === undefined) return [];
    firsts.set(each.webhookId, first ?? each);
    const shown = show(each, () => expectUniqueIds(byId, [each]), first && [first]);
    // A single event shows nothing.
    return firsts.size > 1 || shown.broken !== undefined ? [shown] : [];
  });
}

/** The events that happen only once to an entity, with all their webhook-ids. */
const groupByChange = ({ deliveries }: Traffic): readonly (readonly PassedDelivery[])[] => [
  ...Map.groupBy(
    deliveries.filter((each) => hasEvent(each) && each.webhookId && each.entityId !== '' && /\.(created|deleted)$/.test(each.type ?? '')),
    ({ hook, type, entityId, event }) => {
      const { experienceId } = Object(event.scope) as { experienceId?: unknown };
      return JSON.stringify([hook, type, entityId, event.subscriptionId, normalize(experienceId)]);
    },
  ).values(),
];

const judgeOncePerChange: JudgeRule = (traffic) =>
  groupByChange(traffic).map((group) => {
    const [first] = group as [PassedDelivery];
    const other = group.find(({ webhookId }) => webhookId !== first.webhookId);
    if (other === undefined) return show(first);
    return showThat(false, `the event has the webhook-id ${first.webhookId}, as an earlier delivery of it`, other, first);
  });

/** A delivery of what was not acknowledged is a repeat. */
const judgeKeptIds: JudgeRule = (traffic) =>
  groupByChange(traffic).flatMap((group) =>
    group.flatMap((repeat, index): Shown[] => {
      const isSame = (each: PassedDelivery) => isDeepStrictEqual(pickDocumentedMembers(each), pickDocumentedMembers(repeat));
      const refused = group.slice(0, index).find((each) => !isAcknowledged(each) && isSame(each));
      if (refused === undefined) return [];
      const expected = `the repeat has the webhook-id ${refused.webhookId} of the first delivery`;
      return [showThat(repeat.webhookId === refused.webhookId, expected, repeat, refused)];
    }),
  );

/** Only a delivery without a subscriptionId shows anything, because the subscription is not known. */
const judgeSubscriptionId: JudgeRule = (traffic) =>
  judgeMembers(() => true, '/subscriptionId')(traffic).filter(({ broken }) => broken !== undefined);

export const judgesOfEvents = {
  ...judgesOfData,
  'events.delivery.post': judgeEach(
    () => true,
    (each) => must(isPost(each), `the event is delivered as a POST, not ${each.method}`),
  ),
  'events.delivery.json-body': judgeEach(
    (each) => isPost(each) && each.isWhole,
    ({ json }) => must(json !== undefined, 'the body of the delivery is JSON'),
  ),
  'events.delivery.json-content-type': judgeEach(isPost, ({ headers, answer }) =>
    must(isJson({ ...answer, headers, json: null }), `the content type is application/json, not ${headers['content-type'] ?? 'absent'}`),
  ),
  'events.delivery.retries-non-2xx': judgeRetry((status) => status !== undefined && !isAcknowledgement(status)),
  'events.delivery.retries-redirects': judgeRetry((status = 0) => status >= 300 && status < 400),
  'events.delivery.retries-unanswered': judgeRetry((status) => status === undefined),
  'events.delivery.repeat-is-same-event': judgeRepeats((repeat, [first]) =>
    hasEvent(first) && hasEvent(repeat) ? show(repeat, () => expectRepeat(first, repeat), [first]) : undefined,
  ),
  'events.publish.once-per-change': judgeOncePerChange,
  'events.headers.webhook-id': judgeEach(isPost, (each) => void expectHeader(each, 'webhook-id')),
  'events.headers.webhook-id-unique': judgeUniqueIds,
  'events.headers.webhook-id-kept': judgeKeptIds,
  'events.headers.webhook-timestamp': judgeEach(isPost, expectTimestamp),
  // The clock of a mock may be ahead, because a test can move it forward.
  'events.headers.webhook-timestamp-when-sent': judgeEach(
    (each) => getTimestamp(each) * 1000 <= each.at + MAX_CLOCK_SKEW_MS,
    (each) =>
      must(getTimestamp(each) * 1000 >= each.at - MAX_CLOCK_SKEW_MS, `webhook-timestamp is the time at which the delivery was sent`),
  ),
  'events.headers.webhook-timestamp-of-repeat': judgeRepeats(judgeTimestampOfRepeat),
  'events.envelope.type': judgeMembers(() => true, '/type'),
  'events.envelope.timestamp': judgeMembers(() => true, '/timestamp'),
  'events.envelope.subscription-id': judgeSubscriptionId,
  'events.envelope.scope': judgeMembers(() => true, '/scope', '/scope/experienceId'),
  'events.envelope.scope-experience': judgeEach(
    ({ event, data }) => typeof data.experienceId === 'string' && isObject(event.scope) && typeof event.scope.experienceId === 'string',
    ({ event, data }) => {
      const { experienceId } = event.scope as { experienceId: string };
      must(isSameId(data.experienceId, experienceId), `scope.experienceId is ${String(data.experienceId)}, not ${experienceId}`);
    },
  ),
  'events.envelope.data': judgeMembers(() => true, '/data'),
} satisfies RuleJudges;
