import type { WebhookRuleId } from '../../rules.ts';

export const FAULTS = {
  'exits-on-early-activation': 'events.endpoint.acknowledges-with-2xx',
  redirects: 'events.endpoint.acknowledges-with-2xx',
  'responds-404': 'events.endpoint.acknowledges-with-2xx',
  'never-responds': 'events.endpoint.answers-in-time',
  'refuses-json': 'events.endpoint.accepts-json-post',
  'refuses-unknown-members': 'events.consumer.accepts-unknown-members',
  'parses-provider-id': 'events.consumer.provider-id-opaque',
  'acknowledges-failures': 'events.endpoint.acknowledges-what-it-keeps',
  'acknowledges-before-storing': 'events.endpoint.acknowledges-what-it-keeps',
  'drops-third-change': 'events.endpoint.acknowledges-what-it-keeps',
  'never-deduplicates': 'events.consumer.deduplicates',
  'deduplicates-by-body': 'events.consumer.deduplicates',
  'deduplicates-by-type': 'events.consumer.deduplicates',
  'remembers-last-id': 'events.consumer.deduplicates',
  'remembers-3-ids': 'events.consumer.deduplicates',
  'applies-older': 'events.consumer.discards-older',
  'compares-envelope-timestamp': 'events.consumer.discards-older',
  'discards-equal': 'events.consumer.applies-equal',
  'compares-text': 'events.consumer.compares-instants',
  'forgets-deletions': 'events.consumer.remembers-deletions',
  'ignores-unknown-deletions': 'events.consumer.remembers-deletions',
  races: 'events.consumer.any-order',
  'compares-with-the-latest-event': 'events.consumer.any-order',
  'never-adds-users': 'events.consumer.user-set-adds',
  'seed-replaces-users': 'events.consumer.user-set-adds',
  'never-removes-users': 'events.consumer.user-set-removes',
  'counts-users-twice': 'events.consumer.user-set-per-account',
  'one-set-for-all-accounts': 'events.consumer.user-set-per-account',
  'counts-events': 'events.consumer.user-total-is-sum',
  'counts-events-and-shows-no-users': 'events.consumer.user-total-is-sum',
  'never-seeds': 'events.consumer.user-set-seeded',
  'reads-first-page': 'events.consumer.user-set-seeded',
  'never-rebuilds': 'events.consumer.rebuilds-from-lists',
  'rebuilds-assignments-of-numbers': 'events.consumer.rebuilds-from-lists',
  'rebuilds-from-flat-list': 'events.consumer.rebuild-has-updated-at',
  'rebuild-overwrites': 'events.consumer.rebuild-ordered-by-updated-at',
} as const satisfies Record<string, WebhookRuleId>;

export type Fault = keyof typeof FAULTS;

/** Unusual but correct ways for a consumer to work. */
export const STYLES = [
  'applies-in-batches',
  'keeps-everything-in-memory',
  'reads-entities-from-the-api',
  'reads-new-entities-from-the-api',
  'responds-503-while-busy',
  'refuses-events-of-unknown-entities',
  'ignores-other-providers',
  'refuses-later-instants',
  'refuses-unknown-types',
  'exits-once-and-is-restarted',
  'keeps-milliseconds-only',
  'shows-no-applied',
  'shows-connections-only',
  'shows-no-users',
] as const;

export type Style = (typeof STYLES)[number];
