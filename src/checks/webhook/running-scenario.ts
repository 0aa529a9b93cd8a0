import type { EventType } from '../../contract/generated/events.ts';
import type { TimelineEntry } from '../../contract/generated/results.ts';
import type { ControlClient } from '../../control-client/client.ts';
import type { CheckWorld, PublishedEvent } from './check-world.ts';
import type { OtherEntity, ScenarioEntity } from './compare.ts';
import type { Endpoint } from './endpoint.ts';
import type { Hooks } from './hooks.ts';
import type { Delivery } from './rewrite.ts';
import type { EntityName, EventName, Rewrite } from './scenario.ts';
import type { ViewPoller } from './view-poller.ts';

export interface RunnerDeps {
  readonly world: CheckWorld;
  readonly endpoint: Endpoint;
  readonly control: ControlClient;
  readonly viewPoller: ViewPoller;
  readonly hooks: Hooks;
  readonly interrupt?: AbortSignal | undefined;
}

export interface RunningScenario extends RunnerDeps {
  readonly title: string;
  readonly timeline: TimelineEntry[];
  readonly entities: Map<EntityName, ScenarioEntity>;
  readonly events: Map<EventName, ScenarioEvent>;
  /** Deliveries to repeat later. The endpoint refused them for a valid reason, such as a missing earlier event. */
  readonly unacknowledged: UnacknowledgedDelivery[];
  /** The instant to which `FormattedInstant.seconds` is added, in milliseconds since the Unix epoch. Undefined before the first event. */
  baseMs?: number | undefined;
  /** The id of the fault that makes GET /users fail. */
  fault?: string | undefined;
  isAnswering: boolean;
  /** How many deliveries were acknowledged since the latest comparison. */
  unsettled: number;
  /** Whether the consumer is rebuilding its store and may refuse connections. */
  isRebuilding: boolean;
  /** What happened to the consumer since the latest comparison. */
  recovery?: 'restart' | 'lost-store' | undefined;
  /** The number of the last journal entry before the consumer lost its store. */
  lastRequestBeforeLoss?: number | undefined;
  /** The entities that the step `remember-others` found. */
  others?: readonly OtherEntity[];
  /** The consumer's total that the step `remember-total` stored. */
  savedTotal?: number | undefined;
}

export interface ScenarioEvent extends PublishedEvent {
  readonly type: EventType;
  readonly entity: EntityName;
  rewrite: Rewrite;
  deliveries: number;
}

interface UnacknowledgedDelivery {
  readonly delivery: Delivery;
  readonly description: string;
  readonly event: ScenarioEvent | undefined;
}

export function addToTimeline(
  { timeline }: RunningScenario,
  actor: TimelineEntry['by'],
  text: string,
  details: Partial<TimelineEntry> = {},
): void {
  timeline.push({ at: new Date().toISOString(), by: actor, text, ...details });
}
