import { prepared } from './prepared.ts';

/** A part of what comes after an id: ids sort by the moment at which they were made. */
export type Part = {
  readonly after: string;
  /** An id that none of them may reach. */
  readonly before: string;
  readonly limit: number;
};

/** What was published, the oldest first. */
export const eventsAfter = prepared((db, p: Part) =>
  db.selectFrom('events').selectAll().where('id', '>', p.after).where('id', '<', p.before).orderBy('id').limit(p.limit),
);

/** Attempts that have ended, the oldest first, with the deliveries that they were made of and those as they are now. */
export const attemptsAfter = prepared((db, p: Part) =>
  db
    .selectFrom('delivery_attempts')
    .innerJoin('deliveries', 'deliveries.id', 'delivery_attempts.delivery_id')
    .innerJoin('events', 'events.id', 'deliveries.event_id')
    .selectAll('delivery_attempts')
    .select(['deliveries.subscription_id', 'deliveries.state', 'events.type', 'events.entity_id'])
    .where('delivery_attempts.id', '>', p.after)
    .where('delivery_attempts.id', '<', p.before)
    .orderBy('delivery_attempts.id')
    .limit(p.limit),
);
