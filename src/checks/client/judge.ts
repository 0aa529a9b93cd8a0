import type { TimelineEntry } from '../../contract/generated/results.ts';
import type { RuleOutcome } from '../outcome.ts';
import { type ClientRuleId, listRulesOfCheck } from '../rules.ts';
import { describeRule } from '../scenarios/list-scenarios.ts';
import type { Call } from './call.ts';
import { judgesForExpiryRules } from './expiry.ts';
import { buildHistory } from './history.ts';
import type { Breach, Facts, Judgement, JudgeRule } from './judgement.ts';
import { judgesForListRules } from './lists.ts';
import { judgesForLoginRules } from './login.ts';
import { judgesForRateRules } from './rate.ts';
import { getRefusingRule } from './refusing-rule.ts';
import { judgesForRequestRules } from './requests.ts';
import { judgesForTokenRequestRules } from './token-requests.ts';
import { judgesForTokenRules } from './tokens.ts';

const RULE_JUDGES: Readonly<Record<ClientRuleId, JudgeRule>> = {
  ...judgesForLoginRules,
  ...judgesForTokenRequestRules,
  ...judgesForTokenRules,
  ...judgesForExpiryRules,
  ...judgesForRequestRules,
  ...judgesForRateRules,
  ...judgesForListRules,
};

const MAX_FINDINGS = 3;
const MAX_TIMELINE_CALLS = 12;

export function judgeCalls(calls: readonly Call[], facts: Facts): RuleOutcome[] {
  const history = buildHistory(calls);
  return listRulesOfCheck('client').flatMap(({ id }) =>
    toOutcomes(id as ClientRuleId, RULE_JUDGES[id as ClientRuleId](history, facts), facts),
  );
}

const LIST_FORMAT = new Intl.ListFormat('en');

/** Returns a sentence for each rule because of which the service refused calls. */
export function describeRefusals(calls: readonly Call[]): string[] {
  // The authorization server refuses most authorization requests with a redirect.
  const refused = calls.filter(
    ({ status = 0, step, problem }) => status < 500 && (status >= 400 || problem !== undefined) && step !== 'fault',
  );
  const groups = Map.groupBy(refused, (call) =>
    [call.operationId ?? call.method, call.status, getRefusingRule(call), call.problem?.title].join(),
  );
  return [...groups.values()].map((group) => {
    const [first] = group as [Call, ...Call[]];
    const rule = getRefusingRule(first);
    const { type, title, detail = title } = first.problem ?? {};
    // The text of a decision is a question.
    const text = rule === undefined || describeRule(rule).level === 'open' ? detail : describeRule(rule).text;
    const numbers = LIST_FORMAT.format(group.map(({ number }) => `#${number}`));
    const refused = `The service refused ${group.length === 1 ? 'request' : 'requests'} ${numbers} (${first.operationId ?? `${first.method} ${first.path}`}) with ${first.status}`;
    if (rule === undefined && first.door === 'service') return `${refused}${detail ? `: ${detail}` : ''}${type ? ` (${type})` : ''}`;
    return `${refused}, because of ${[rule ?? title, text].filter((part) => part !== undefined).join(': ')}`;
  });
}

function toOutcomes(rule: ClientRuleId, judgement: Judgement, facts: Facts): RuleOutcome[] {
  const { exercised, findings, uncertain } = judgement;
  if (findings.length > 0) {
    const more = findings.length - MAX_FINDINGS;
    return findings.slice(0, MAX_FINDINGS).map((finding, index) => {
      const others = index === 0 && more > 0 ? ` (${more} more findings of this kind are omitted.)` : '';
      const numbers = finding.calls.map(({ number }) => `#${number}`);
      const title = `The client sent ${numbers.length === 1 ? 'request' : 'requests'} ${LIST_FORMAT.format(numbers)}.`;
      return { rule, title, verdict: 'failed', message: finding.message + others, timeline: toTimeline(finding) };
    });
  }
  const title = `The client sent ${exercised.length === 1 ? 'one request' : `${exercised.length} requests`} that the rule applies to.`;
  const timeline = toTimeline({ calls: exercised, breaking: [] });
  if (facts.missed > 0) {
    const reason = `${facts.missed} requests were removed from the journal before they could be checked`;
    return [{ rule, title, verdict: 'not-testable', reason, timeline }];
  }
  const passed: RuleOutcome[] = exercised.length === 0 ? [] : [{ rule, title, verdict: 'passed', timeline }];
  if (uncertain) return [...passed, toUncertainOutcome(rule, uncertain)];
  return exercised.length === 0 ? [toNotExercisedOutcome(rule, judgement, facts)] : passed;
}

function toUncertainOutcome(rule: ClientRuleId, { reason, calls }: NonNullable<Judgement['uncertain']>): RuleOutcome {
  const title = `The client sent ${calls.length === 1 ? 'one request' : `${calls.length} requests`} that may break the rule.`;
  return { rule, title, verdict: 'not-testable', reason, timeline: toTimeline({ calls, breaking: [] }) };
}

function toNotExercisedOutcome(
  rule: ClientRuleId,
  { needs, provocation }: Judgement,
  { provoked = [], canProvoke = true }: Facts,
): RuleOutcome {
  const common = { rule, title: 'The client sent no request that the rule applies to.', verdict: 'not-exercised', timeline: [] } as const;
  if (provocation === undefined) return { ...common, reason: needs };
  if (!canProvoke) return { ...common, reason: `${needs} A kit can cause it: xpk check client --provoke ${provocation} -- COMMAND` };
  const option = `--provoke ${provocation}`;
  return provoked.includes(provocation)
    ? { ...common, reason: `${needs} ${option} was given, but the error did not occur.` }
    : { ...common, reason: needs, missing: [option] };
}

function toTimeline({ calls, breaking = calls }: Omit<Breach, 'message'>): TimelineEntry[] {
  return calls.slice(0, MAX_TIMELINE_CALLS).map((call) => toTimelineEntry(call, breaking.includes(call)));
}

function toTimelineEntry(call: Call, violation: boolean): TimelineEntry {
  const { at, number, method, path, status, step, traceId, request, response, credential, oauth } = call;
  const token = credential ? ` with token ${credential.fingerprint.slice(0, 6)}` : '';
  const issued = oauth?.issued?.accessToken ? ` and token ${oauth.issued.accessToken.fingerprint.slice(0, 6)}` : '';
  const provoked = step === 'fault' ? ', by a fault' : oauth?.issued?.alteredState ? ', with a state that a fault altered' : '';
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
