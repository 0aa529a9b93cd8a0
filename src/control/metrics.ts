import type { Gauge, Registry } from 'prom-client';
import type { Clock } from '../clock/clock.ts';
import type { StoredAttempt } from '../events/attempt-runner.ts';
import type { Observation } from '../http/observation.ts';
import { dueDeliveries, MAX_DUE_COUNTED } from '../store/due.ts';
import type { Store } from '../store/store.ts';
import type { ControlHandlers } from './handler.ts';

/** Omits the database metrics if the database is unavailable. */
export const metricsHandlers: Pick<ControlHandlers, 'readMetrics'> = {
  readMetrics: (_, { metrics }) => ({
    type: 'text/plain; version=0.0.4',
    send: async (chunks) =>
      chunks(
        (async function* () {
          yield await metrics.formatMetrics();
        })(),
      ),
  }),
};

const DUE_METRIC = 'xpk_deliveries_due';
const DUE_AGE_METRIC = 'xpk_deliveries_due_age_seconds';
const ATTEMPT_OUTCOMES = { acknowledged: 'acknowledged', pending: 'failed', exhausted: 'exhausted' } as const;

/** Stores the counts in maps, because prom-client is slower. Imports prom-client when the metrics are first read. */
export function createMetrics({ store, clock }: { readonly store: Store; readonly clock: Clock }) {
  const requests = new Map<string, { readonly labels: Record<string, string>; count: number; seconds: number }>();
  const attempts = new Map<string, number>();
  let creating: Promise<Registry> | undefined;

  async function createRegistry(): Promise<Registry> {
    const { collectDefaultMetrics, Counter, Gauge, Registry } = (await import('prom-client')).default;
    const registry = new Registry();
    const registers = [registry];
    collectDefaultMetrics({ register: registry });
    const labelNames = ['operation', 'status'];
    const createCounter = (name: string, help: string, countOf: (of: { count: number; seconds: number }) => number) =>
      new Counter({
        name,
        help,
        labelNames,
        registers,
        collect() {
          this.reset();
          for (const request of requests.values()) this.inc(request.labels, countOf(request));
        },
      });
    createCounter('xpk_requests_total', 'Requests to the service.', ({ count }) => count);
    createCounter('xpk_request_seconds_total', 'Time spent on requests to the service.', ({ seconds }) => seconds);
    new Counter({
      name: 'xpk_delivery_attempts_total',
      help: 'Delivery attempts: acknowledged, failed (the delivery is repeated) or exhausted (the delivery is not repeated).',
      labelNames: ['outcome'],
      registers,
      collect() {
        this.reset();
        for (const [outcome, count] of attempts) this.inc({ outcome }, count);
      },
    });
    new Gauge({ name: DUE_METRIC, help: `Deliveries whose attempt is due. The count stops at ${MAX_DUE_COUNTED}.`, registers });
    new Gauge({ name: DUE_AGE_METRIC, help: 'How long the oldest due delivery has been due.', registers });
    if (store.connections)
      new Gauge({
        name: 'xpk_database_connections',
        help: 'Connections to the database, and requests that wait for a connection.',
        labelNames: ['state'],
        registers,
        collect() {
          for (const [state, count] of Object.entries(store.connections!())) this.set({ state }, count);
        },
      });
    return registry;
  }

  return {
    countRequest({ operationId, status, durationMs }: Observation): void {
      const key = `${operationId} ${status}`;
      let request = requests.get(key);
      if (request === undefined) {
        request = { labels: { operation: operationId, status: String(status) }, count: 0, seconds: 0 };
        requests.set(key, request);
      }
      request.count++;
      request.seconds += durationMs / 1000;
    },
    countAttempt({ state }: StoredAttempt): void {
      const outcome = ATTEMPT_OUTCOMES[state];
      attempts.set(outcome, (attempts.get(outcome) ?? 0) + 1);
    },
    async formatMetrics(): Promise<string> {
      creating ??= createRegistry();
      const registry = await creating;
      const now = clock.now();
      const due = await dueDeliveries.first(store.db, { now }).catch(() => undefined);
      const values = {
        [DUE_METRIC]: due && Number(due.count),
        [DUE_AGE_METRIC]: due && (due.oldest == null ? 0 : (now - Number(due.oldest)) / 1000),
      };
      for (const [name, value] of Object.entries(values)) {
        const gauge = registry.getSingleMetric(name) as Gauge;
        if (value === undefined) gauge.remove();
        else gauge.set(value);
      }
      return registry.metrics();
    },
  };
}
