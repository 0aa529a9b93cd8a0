import type { RuleOutcome, TimelineEntry } from '../outcome.ts';
import { type ClientRuleId, listRulesOfCheck } from '../rules.ts';
import type { Call } from './call.ts';
import { buildHistory } from './history.ts';
import type { Breach, Facts, Judgement, JudgeRule } from './judgement.ts';
import { judgesForListRules } from './lists.ts';
import { judgesForLoginRules } from './login.ts';
import { judgesForRateRules } from './rate.ts';
import { judgesForRequestRules } from './requests.ts';
import { judgesForTokenRules } from './tokens.ts';

const RULE_JUDGES: Readonly<Record<ClientRuleId, JudgeRule>> = {
  ...judgesForLoginRules,
  ...judgesForTokenRules,
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
  const timeline = exercised.slice(0, MAX_TIMELINE_CALLS).map((call) => toTimelineEntry(call));
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
  return {
    rule,
    title,
    verdict: 'not-testable',
    reason,
    timeline: calls.slice(0, MAX_TIMELINE_CALLS).map((call) => toTimelineEntry(call)),
  };
}

function toNotExercisedOutcome(rule: ClientRuleId, { needs, provocation }: Judgement, { provoked = [] }: Facts): RuleOutcome {
  const common = { rule, title: 'The client sent no request that the rule applies to.', verdict: 'not-exercised', timeline: [] } as const;
  if (provocation === undefined) return { ...common, reason: needs };
  const option = `--provoke ${provocation}`;
  return provoked.includes(provocation)
    ? { ...common, reason: `${needs} ${option} was given, but the error did not occur.` }
    : { ...common, reason: needs, missing: [option] };
}

function toTimeline({ calls, breaking = calls }: Breach): TimelineEntry[] {
  return calls.slice(0, MAX_TIMELINE_CALLS).map((call) => toTimelineEntry(call, breaking.includes(call)));
}

function toTimelineEntry(call: Call, violation = false): TimelineEntry {
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
