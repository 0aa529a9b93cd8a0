import { setTimeout as delay } from 'node:timers/promises';
import { DEFAULT_SECRET } from './checks/webhook/subscription.ts';
import type { Ids } from './clock/ids.ts';
import type { GateFailure } from './contract/failure.ts';
import type { components } from './contract/generated/control.ts';
import type { Decisions } from './contract/generated/decisions.ts';
import type { Results } from './contract/generated/results.ts';
import { type CheckRuns, refuseRequest } from './control/handler.ts';
import { UsageError } from './control-client/errors.ts';
import { checkDestination, type DestinationMode } from './events/destination.ts';
import type { JudgedRun } from './report/write-reports.ts';
import { createChangeFeed } from './store/changes.ts';

type Schemas = components['schemas'];
type Request = Schemas['CheckRequest'];

interface Options {
  readonly ids: Ids;
  readonly decisions: Decisions;
  readonly destinations: DestinationMode;
  readonly controlToken: string | undefined;
  /** Returns the URL at which this process can call the kit. */
  getUrl(): string;
}

interface Run {
  readonly facts: Schemas['Check'];
  readonly stop: AbortController;
  readonly results?: Results;
  readonly judged?: JudgedRun;
}

export interface ReportedChecks {
  listReports(): Promise<Schemas['Report'][]>;
  readReport(id: string): Promise<Schemas['ReportWithPage'] | undefined>;
}

const MAX_RUNS = 20;
/** How long a kit that stops waits until the checks have removed their entities, in milliseconds of wall time. */
const STOP_MS = 5000;
const URL_MEMBERS = ['url', 'stateUrl', 'restartUrl', 'loseStoreUrl'] as const;
const WEBHOOK_MEMBERS = [
  ...URL_MEMBERS,
  ...(['provider', 'secret', 'settleMs', 'answerWithinMs', 'timeLimitMs', 'strictEndpoint', 'random', 'seed', 'path'] as const),
];
const OTHER_MEMBERS = { webhook: ['since', 'wholeLists', 'oneSession'], client: WEBHOOK_MEMBERS } as const;

/** Runs the checks of `xpk check` in the kit that carries them, as its client. */
export function createCheckRuns({
  ids,
  decisions,
  destinations,
  controlToken,
  getUrl,
}: Options): CheckRuns & ReportedChecks & { stopAll(): Promise<void> } {
  const runs = new Map<string, Run>();
  const changes = createChangeFeed();
  const running = new Set<Promise<void>>();
  const listRuns = () => [...runs.values()].reverse();

  function update(id: string, { facts, ...others }: Partial<Omit<Run, 'facts'>> & { readonly facts: Partial<Schemas['Check']> }): void {
    const run = runs.get(id);
    if (run) runs.set(id, { ...run, ...others, facts: { ...run.facts, ...facts } });
    changes.report(['recorded']);
  }

  async function findProblem(request: Request): Promise<GateFailure | undefined> {
    const { check, url, seed, path, rules } = request;
    const other = OTHER_MEMBERS[check].find((name) => request[name] !== undefined);
    if (other !== undefined) return refuseRequest('invalid', `The ${check} check has no option ${other}.`, `/${other}`);
    try {
      (await import('./checks/rules.ts')).requireRules(check, rules);
    } catch (error) {
      if (error instanceof UsageError) return refuseRequest('invalid', error.message, '/rules');
      throw error;
    }
    if (check === 'client') return undefined;
    if (url === undefined) return refuseRequest('invalid', 'The webhook check needs the url of the endpoint.', '/url');
    if (path !== undefined && seed === undefined)
      return refuseRequest('invalid', 'The path needs the seed. Copy both from the report.', '/seed');
    for (const name of URL_MEMBERS) {
      const checked = await checkDestination(request[name] ?? url, destinations);
      if ('refused' in checked) return refuseRequest('invalid', checked.refused, `/${name}`);
    }
    return undefined;
  }

  function findConflict({ check }: Request): GateFailure | undefined {
    const running = listRuns().find(({ facts }) => facts.check === 'webhook' && facts.state === 'running');
    if (check === 'client' || running === undefined) return undefined;
    const { id } = running.facts;
    const advice = `Wait for its end, or stop it with DELETE /_control/checks/${id}.`;
    return refuseRequest('conflict', `The webhook check ${id} is running, and changes the same world. ${advice}`);
  }

  function describeSubscription({ secret = DEFAULT_SECRET }: Request): Pick<Schemas['Check'], 'subscriptionId' | 'secret'> {
    const isSigned = decisions['events.delivery.signature'] === 'standard-webhooks';
    return { subscriptionId: ids.uuid(), ...(isSigned && { secret }) };
  }

  async function run(request: Request, { id, startedAt, subscriptionId }: Schemas['Check'], { signal }: AbortController): Promise<void> {
    try {
      const { runCheck } = await import('./run-check.ts');
      const onProgress = (progress: string) => update(id, { facts: { progress } });
      const context = { url: getUrl(), controlToken, destinations, subscriptionId, signal, startedAt: new Date(startedAt), onProgress };
      const { results, judged, facts } = await runCheck(request, context);
      const state = signal.aborted ? 'stopped' : ({ 0: 'passed', 1: 'failed', 3: 'inconclusive' } as const)[judged.exitCode];
      update(id, { facts: { state, ...facts }, results, judged });
    } catch (error) {
      update(id, { facts: { state: signal.aborted ? 'stopped' : 'error', reasons: [(error as Error).message] } });
    }
  }

  async function toReport({ facts, results }: Run): Promise<Schemas['Report'] | undefined> {
    return results && (await import('./report/report-folder.ts')).toReport(facts.id, results);
  }

  return {
    changes,
    list: () => listRuns().map(({ facts }) => facts),
    async start(request) {
      const problem = (await findProblem(request)) ?? findConflict(request);
      if (problem) return problem;
      const target = request.url ?? getUrl();
      const facts = {
        id: ids.uuid(),
        check: request.check,
        target,
        state: 'running',
        progress: '',
        startedAt: new Date().toISOString(),
        ...(request.check === 'webhook' && describeSubscription(request)),
      } as const;
      const stop = new AbortController();
      runs.set(facts.id, { facts, stop });
      const [oldest] = [...runs.values()].filter(({ facts: { state } }) => state !== 'running');
      if (runs.size > MAX_RUNS && oldest) runs.delete(oldest.facts.id);
      changes.report(['recorded']);
      const ended = run(request, facts, stop);
      running.add(ended);
      void ended.then(() => running.delete(ended));
      return facts;
    },
    read(id) {
      const { facts, results } = runs.get(id) ?? {};
      return facts && { ...facts, ...(results && { results: { ...results } }) };
    },
    stop(id) {
      runs.get(id)?.stop.abort();
      return runs.has(id);
    },
    async stopAll() {
      for (const { stop } of runs.values()) stop.abort();
      const limit = new AbortController();
      await Promise.race([Promise.all(running), delay(STOP_MS, undefined, limit)]);
      limit.abort();
    },
    listReports: async () => (await Promise.all(listRuns().map(toReport))).filter((report) => report !== undefined),
    async readReport(id) {
      const found = runs.get(id);
      const report = found && (await toReport(found));
      return report && { ...report, html: (await import('./report/html.ts')).formatHtmlReport(found.judged!.run) };
    },
  };
}
