import { readCalls } from './checks/client/journal.ts';
import { createClientResults } from './checks/client/results.ts';
import { toResults } from './checks/results.ts';
import { isDecisive } from './checks/rules.ts';
import { createRandomSettings } from './checks/webhook/random.ts';
import type { components } from './contract/generated/control.ts';
import type { Results } from './contract/generated/results.ts';
import { createControlClient } from './control-client/client.ts';
import type { DestinationMode } from './events/destination.ts';
import { createGuardedFetch } from './events/guarded-fetch.ts';
import { formatClosing } from './report/closing.ts';
import { listFailureReasons } from './report/totals.ts';
import { countVerdicts, judgeRun } from './report/write-reports.ts';
import { checkWebhook } from './sdk/checks.ts';

type Request = components['schemas']['CheckRequest'];

interface Context {
  /** The kit's URL. */
  readonly url: string;
  readonly controlToken: string | undefined;
  readonly destinations: DestinationMode;
  readonly subscriptionId: string | undefined;
  readonly signal: AbortSignal;
  readonly startedAt: Date;
  readonly onProgress: (line: string) => void;
}

/** @throws UsageError or another Error if the check cannot run */
export async function runCheck(request: Request, context: Context) {
  const results = countVerdicts(await (request.check === 'client' ? checkCalls(request, context) : checkEndpoint(request, context)));
  const { strict = false } = request;
  const criteria = { strict, makesRunFail: strict ? () => true : isDecisive };
  const judged = judgeRun(results, { ...criteria, known: [] });
  const reasons = listFailureReasons(results, { ...criteria, namesRules: true });
  return { results, judged, facts: { reasons, summary: formatClosing(judged.run).join('\n') } };
}

async function checkCalls(request: Request, { url, controlToken, startedAt }: Context): Promise<Results> {
  const { since = 0, rules, wholeLists, oneSession } = request;
  const control = createControlClient(url, { controlToken });
  const canProvoke = (await control.GET('/_control/info')).data.upstream === undefined;
  const recorded = await readCalls(control, typeof since === 'string' ? new Date(since) : since);
  return createClientResults({ ...recorded, url, startedAt, rules, options: { wholeLists, oneSession, canProvoke } });
}

async function checkEndpoint(request: Request, { url: kitUrl, controlToken, startedAt, ...context }: Context): Promise<Results> {
  const { check, url = '', stateUrl, restartUrl, loseStoreUrl, since: _, strict: __, random, seed, path, rules, ...options } = request;
  const { fetch, close } = createGuardedFetch(context.destinations);
  const toSource = (address: string | undefined) => (address === undefined ? undefined : { url: address, fetch });
  const sources = { state: toSource(stateUrl), restart: toSource(restartUrl), loseStore: toSource(loseStoreUrl) };
  try {
    const { outcomes, notes } = await checkWebhook(
      { url: kitUrl, control: createControlClient(kitUrl, { controlToken }) },
      { ...options, ...context, ...sources, url, rules: rules as never, random: createRandomSettings({ random, seed, path }) },
    );
    const durationMs = Date.now() - startedAt.getTime();
    const tested = path === undefined ? rules : outcomes.map(({ rule }) => rule);
    return toResults({ check, url, outcomes, notes, startedAt, durationMs, rules: tested, interrupted: context.signal.aborted });
  } finally {
    await close();
  }
}
