import type { Outcome, TimelineEntry } from '../outcome.ts';
import { type ClientRuleId, rulesOfCheck } from '../rules.ts';
import type { Call } from './call.ts';
import { historyOf } from './history.ts';
import type { Facts, Finding, Judgement, JudgeRule } from './judgement.ts';
import { lists } from './lists.ts';
import { login } from './login.ts';
import { rate } from './rate.ts';
import { requests } from './requests.ts';
import { tokens } from './tokens.ts';

// The type Record makes the compiler report a rule without a judge.
const JUDGES: Readonly<Record<ClientRuleId, JudgeRule>> = { ...login, ...tokens, ...requests, ...rate, ...lists };

/** The maximum number of findings of one rule, and of calls in one timeline. */
const MAX_FINDINGS = 3;
const MAX_CALLS = 12;

/** Judges the calls of a client by the rules of clients. The result has at least one outcome for each rule. */
export function judge(calls: readonly Call[], facts: Facts): Outcome[] {
  const history = historyOf(calls);
  return rulesOfCheck('client').flatMap(({ id }) => outcomesOf(id as ClientRuleId, JUDGES[id as ClientRuleId](history, facts), facts));
}

const LIST = new Intl.ListFormat('en');

function outcomesOf(rule: ClientRuleId, judgement: Judgement, facts: Facts): Outcome[] {
  const { exercised, findings, doubt } = judgement;
  if (findings.length > 0) {
    const more = findings.length - MAX_FINDINGS;
    return findings.slice(0, MAX_FINDINGS).map((finding, index) => {
      const others = index === 0 && more > 0 ? ` (${more} more findings of this kind are left out.)` : '';
      const numbers = finding.calls.map(({ number }) => `#${number}`);
      const title = `The client sent ${numbers.length === 1 ? 'the request' : 'the requests'} ${LIST.format(numbers)}.`;
      return { rule, title, verdict: 'failed', message: finding.message + others, timeline: timelineOf(finding) };
    });
  }
  const title = `The client sent ${exercised.length === 1 ? 'one request' : `${exercised.length} requests`} that the rule applies to.`;
  const timeline = exercised.slice(0, MAX_CALLS).map((call) => toTimelineEntry(call));
  if (facts.missed > 0) {
    const reason = `${facts.missed} requests left the journal before they could be judged`;
    return [{ rule, title, verdict: 'not-testable', reason, timeline }];
  }
  const passed: Outcome[] = exercised.length === 0 ? [] : [{ rule, title, verdict: 'passed', timeline }];
  if (doubt) return [...passed, doubtOf(rule, doubt)];
  return exercised.length === 0 ? [notExercised(rule, judgement, facts)] : passed;
}

function doubtOf(rule: ClientRuleId, { reason, calls }: NonNullable<Judgement['doubt']>): Outcome {
  const title = `The client sent ${calls.length === 1 ? 'one request' : `${calls.length} requests`} that may break the rule.`;
  return { rule, title, verdict: 'not-testable', reason, timeline: calls.slice(0, MAX_CALLS).map((call) => toTimelineEntry(call)) };
}

function notExercised(rule: ClientRuleId, { needs, provocation }: Judgement, { provoked = [] }: Facts): Outcome {
  const common = { rule, title: 'The client sent no request that the rule applies to.', verdict: 'not-exercised', timeline: [] } as const;
  if (provocation === undefined) return { ...common, reason: needs };
  const option = `--provoke ${provocation}`;
  return provoked.includes(provocation)
    ? { ...common, reason: `${needs} ${option} was given, but this did not happen.` }
    : { ...common, reason: needs, missing: [option] };
}

function timelineOf({ calls, breaking = calls }: Finding): TimelineEntry[] {
  return calls.slice(0, MAX_CALLS).map((call) => toTimelineEntry(call, breaking.includes(call)));
}

function toTimelineEntry(call: Call, violation = false): TimelineEntry {
  const { at, number, method, path, status, step, traceId, request, response, credential, oauth } = call;
  const token = credential ? ` with token ${credential.fingerprint.slice(0, 6)}` : '';
  const issued = oauth?.issued?.accessToken ? ` and token ${oauth.issued.accessToken.fingerprint.slice(0, 6)}` : '';
  const provoked = step === 'fault' ? ', by a fault' : oauth?.issued?.alteredState ? ', by a fault with an altered state' : '';
  return {
    at,
    by: 'integration',
    text: `#${number} ${method} ${path}${token}: ${status ?? 'no response'}${issued}${provoked}`,
    traceId,
    ...(request && { request }),
    ...(response && { response }),
    ...(violation && { violation }),
  };
}
