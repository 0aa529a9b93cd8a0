import type { EventType } from '../../contract/generated/events.ts';
import type { Collection, EntityOf } from '../../world/world.ts';

export interface AccountExperiencePair {
  readonly account: string;
  readonly experience: string;
}

export type Entity<C extends Collection> = EntityOf<C> & { readonly alias: string; readonly id: string };

type Experience = Entity<'experiences'>;
type Subscription = Entity<'subscriptions'>;

/** @param connectedProviders the providers of the Experiences connected to the account */
export function preferConnected<Of extends { readonly provider: string }>(
  entities: readonly Of[],
  connectedProviders: readonly (string | undefined)[],
): Of[] {
  return entities.toSorted((a, b) => Number(connectedProviders.includes(b.provider)) - Number(connectedProviders.includes(a.provider)));
}

/**
 * Chooses a subscription, and returns the Experiences whose events it receives. Prefers subscriptions with a destination, then connected
 * providers' subscriptions, then newer ones.
 */
export function findSubscribedExperiences(
  type: EventType,
  experiences: readonly Experience[],
  subscriptions: readonly Subscription[],
  connectedProviders: readonly (string | undefined)[],
): Experience[] {
  const newestFirst = subscriptions.filter(({ types }) => types.includes(type)).toSorted((a, b) => (a.id < b.id ? 1 : -1));
  const preferred = preferConnected(newestFirst, connectedProviders).toSorted(
    (a, b) => Number(!a.destinationUrl) - Number(!b.destinationUrl),
  );
  for (const subscription of preferred) {
    const subscribed = experiences.filter(
      ({ alias, provider }) => subscription.provider === provider && (subscription.experience ?? alias) === alias,
    );
    if (subscribed.length > 0) return subscribed;
  }
  return [];
}

export function explainNotReceived(
  type: EventType,
  { alias, provider, experience, types }: Subscription,
  requested: string | undefined,
): string {
  if (!types.includes(type)) return `The subscription ${alias} does not receive ${type}. It receives: ${types.join(', ')}.`;
  if (requested === undefined) return `The provider ${provider} of the subscription ${alias} has no Experience.`;
  const correction = experience === undefined ? `an Experience of the provider ${provider}` : `the Experience ${experience}`;
  return `The subscription ${alias} does not receive events about the Experience ${requested}. Give no Experience, or ${correction}.`;
}

const ACCESS_LEVELS = { none: 0, read: 1, manage: 2 } as const;

export function sortByAccess(accounts: readonly Entity<'accounts'>[], principals: readonly Entity<'principals'>[]): string[] {
  const getAccessLevel = ({ alias }: Entity<'accounts'>) =>
    Math.max(0, ...principals.map((p) => ACCESS_LEVELS[p.accounts?.[alias] ?? 'none']));
  return accounts.toSorted((a, b) => getAccessLevel(b) - getAccessLevel(a)).map(({ alias }) => alias);
}
