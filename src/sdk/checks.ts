import { setTimeout as delay } from 'node:timers/promises';
import { readCalls } from '../checks/client/journal.ts';
import { judgeCalls } from '../checks/client/judge.ts';
import type { RuleOutcome } from '../checks/outcome.ts';
import { type CheckName, isDecisive, listRulesOfCheck, requireRules } from '../checks/rules.ts';
import { callOperation } from '../control-client/call.ts';
import { type ControlClient, getResponseData } from '../control-client/client.ts';
import type { Finding, FindingsOptions, WebhookOptions, WebhookReport } from './finding.ts';
import { USER_AGENT } from './login.ts';
import { startReceiver } from './receiver.ts';

const POLL_MS = 20;
const MAX_WAIT_MS = 3000;

/** Ignores requests from `kit.login`, because the test sends them. */
export async function checkJournal(control: ControlClient, options: FindingsOptions = {}): Promise<readonly Finding[]> {
  const { calls, facts } = await readCalls(control);
  if (facts.missed > 0)
    throw new Error(
      `${facts.missed} requests were removed from the journal before kit.findings() could check them: the journal was cleared or reset, or had more than 1000 requests. Call kit.findings() earlier, or use a new kit.`,
    );
  const own = calls.filter(({ request }) => request?.headers['user-agent'] !== USER_AGENT);
  return toFindings('client', judgeCalls(own, { ...facts, wholeLists: options.wholeLists ?? false }), options.levels);
}

export async function checkWebhook(
  kit: { readonly url: string; readonly control: ControlClient },
  { url: endpoint, levels, ...options }: WebhookOptions,
): Promise<WebhookReport> {
  requireRules('webhook', options.rules);
  const { checkWebhook: check } = await import('../checks/webhook/check-webhook.ts');
  const receiver = typeof endpoint === 'function' ? await startReceiver(endpoint) : undefined;
  const url = receiver?.url ?? (endpoint as string);
  const { position } = (await kit.control.GET('/_control/clock')).data;
  const paused = await pauseSubscriptions(kit.control, url);
  const { outcomes, notes } = await check({ ...options, url, kit }).finally(async () => {
    for (const id of paused) {
      await waitForInbox(kit.control, id, position);
      await setDestination(kit.control, id, url);
    }
    await receiver?.close();
  });
  const untested = outcomes.filter(({ verdict }) => verdict === 'not-testable' || verdict === 'not-exercised');
  return {
    findings: toFindings('webhook', outcomes, levels),
    untested: untested.map(({ rule, title, reason = '' }) => ({ rule, title, reason })),
    outcomes,
    notes,
  };
}

/** Redirects all subscriptions with this URL to the inbox, so that the endpoint receives only deliveries from the check. */
async function pauseSubscriptions(control: ControlClient, url: string): Promise<readonly string[]> {
  const { data } = await control.GET('/_control/subscriptions');
  const ids = data.flatMap(({ id, destinationUrl }) => (destinationUrl === url ? [id] : []));
  for (const id of ids) await setDestination(control, id, null);
  return ids;
}

/**
 * Waits until the check's deliveries are no longer pending. Otherwise, the endpoint would receive them after the check.
 * @param position the position before the check's first delivery. Earlier deliveries are ignored, because they may be due much later.
 */
async function waitForInbox(control: ControlClient, subscription: string, position: string): Promise<void> {
  const deadline = performance.now() + MAX_WAIT_MS;
  for (;;) {
    const pending = await getResponseData(callOperation(control, 'listDeliveries', { subscription, state: 'pending', limit: 1000 }));
    if (pending.every(({ id }) => id <= position) || performance.now() > deadline) return;
    await delay(POLL_MS);
  }
}

async function setDestination(control: ControlClient, subscriptionId: string, destinationUrl: string | null): Promise<void> {
  await callOperation(control, 'patchSubscription', { subscriptionId, destinationUrl });
}

function toFindings(check: CheckName, outcomes: readonly RuleOutcome[], levels: FindingsOptions['levels']): Finding[] {
  const rules = new Map(listRulesOfCheck(check).map(({ id, level }) => [id, level]));
  return outcomes.flatMap(({ rule, title, verdict, message = '', timeline, replay }): Finding[] => {
    const level = rules.get(rule)!;
    // Report errors regardless of `levels`, because an error means that the rule was not tested.
    const isIncluded = levels?.includes(level) ?? isDecisive({ id: rule, level });
    if (verdict !== 'error' && !(verdict === 'failed' && isIncluded)) return [];
    const entries = timeline.map(({ text, violation }) => (violation ? `> ${text}` : text));
    return [{ rule, level, title, message, timeline: entries, ...(replay !== undefined && { replay }) }];
  });
}
