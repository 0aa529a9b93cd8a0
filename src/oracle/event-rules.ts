// Which rule a target breaks if its events differ from those of the model.
import type { EventType } from '../contract/generated/events.ts';
import type { RuleId } from '../contract/generated/rules.ts';
import { rules } from '../contract/generated/rules-table.ts';
import type { Step } from './steps.ts';

interface EventRules {
  readonly of: RuleId;
  readonly dateTime: RuleId;
  readonly updatedAt: RuleId;
  readonly grows: RuleId;
}

const RULES: Readonly<Record<string, EventRules>> = Object.fromEntries(
  [
    ['connection', 'connection'],
    ['assignment', 'assignment'],
    ['provisioning', 'user'],
  ].map(([area, entity]) => [
    entity,
    {
      of: `events.${area}.data.of-${entity}`,
      dateTime: `events.${area}.data.updated-at`,
      updatedAt: `events.${area}.data.updated-at-of-${entity}`,
      grows: `events.${area}.data.updated-at-grows`,
    } as EventRules,
  ]),
);

export const findEventRules = (name: string) => RULES[/^«(\w+)/.exec(name)?.[1] ?? ''] ?? RULES.user!;

const ORIGIN_ENDS = {
  created: { api: 'on-create', portal: 'on-portal-create', platform: 'on-platform-create' },
  activated: { api: 'on-update', portal: 'on-portal-action', platform: 'on-platform-change' },
  deactivated: { api: 'on-update', portal: 'on-portal-action', platform: 'on-platform-change' },
  deleted: { api: 'on-delete', portal: 'on-portal-removal', platform: 'on-platform-removal' },
} as const;
const CASCADE_ENDS: Readonly<Record<string, string>> = {
  account: 'on-account-deletion',
  number: 'on-number-deletion',
  user: 'on-user-deletion',
  connection: 'on-connection-deletion',
};

/** The rule that requires an event. */
export function nameCauseRule(type: EventType, cause: Step | undefined): RuleId {
  const [area, entity, action] = type.split('.') as [string, string, keyof typeof ORIGIN_ENDS];
  const prefix = area === 'provisioning' ? `events.provisioning.${action}` : `events.${entity}.${action}`;
  const end = ORIGIN_ENDS[action][cause?.origin ?? 'api'];
  const [changed = ''] = cause?.changes ?? [];
  const cascade = CASCADE_ENDS[/^«(\w+)/.exec(changed)?.[1] ?? ''];
  const candidates = [`${prefix}.${end}`, `${prefix}.${cascade}`, `${prefix}.${end.replace('removal', 'delete')}`];
  const isCascade = action === 'deleted' && !changed.startsWith(`«${entity}`);
  return (
    (isCascade ? candidates.toReversed() : candidates).find((id): id is RuleId => Object.hasOwn(rules, id)) ?? 'events.publish.every-change'
  );
}

/** @param isRefused whether the latest step that could have caused the event was refused */
export const nameExtraRule = (expected: number, isRefused: boolean): RuleId =>
  expected > 0 && !isRefused ? 'events.publish.once-per-change' : 'events.publish.only-changes';

/** The names of the subscriptions: without a filter, to one Experience, and to all types except changes of states. */
export const ALL_EVENTS = 'all events';
export const OF_EXPERIENCE = 'the events of experience 1';
export const WITHOUT_STATES = 'all events except activated and deactivated';

/** The rule of the filter that an event should not have passed. */
export const nameFilterRule = (subscription: string): RuleId =>
  subscription === OF_EXPERIENCE ? 'events.subscription.only-its-experience' : 'events.subscription.only-listed-types';
