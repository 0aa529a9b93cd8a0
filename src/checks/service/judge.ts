import { formatPlural } from '../../contract/format-plural.ts';
import type { PathForm } from '../../contract/generated/operations.ts';
import type { Check, Exchange as ReportedExchange, Results } from '../../contract/generated/results.ts';
import type { RuleId } from '../../contract/generated/rules.ts';
import { rules } from '../../contract/generated/rules-table.ts';
import type { ControlClient } from '../../control-client/client.ts';
import { aggregate, type RuleCheck } from '../../report/aggregate.ts';
import { RESULTS_VERSION } from '../../report/read-results.ts';
import { PATH_FORMS, type RuleInScope, rulesInScope } from '../../report/scope.ts';
import { version } from '../../version.ts';
import type { Call } from '../client/call.ts';
import { readCalls } from '../client/journal.ts';
import { judgesOfAccess } from './access.ts';
import { judgesOfEntities } from './entities.ts';
import { judgesOfEvents } from './events.ts';
import type { Exchange } from './exchange.ts';
import { judgesOfLists } from './lists.ts';
import { judgesOfOauth } from './oauth.ts';
import { judgesOfPublishedChanges } from './published-changes.ts';
import { judgesOfRates } from './rate.ts';
import { judgesOfRefusals } from './refusals.ts';
import { judgesOfResponses } from './responses.ts';
import type { RuleJudges, Shown } from './shown.ts';
import { createTraffic, type Traffic } from './traffic.ts';
import { judgesOfTraversals } from './traversals.ts';
import { type Finding, Twin } from './twin/twin.ts';
import { judgesOfUpdates } from './updates.ts';
import { judgesOfUsers } from './users.ts';

/** What decides each rule. A rule that is not in the table cannot be decided from what passes. */
export const serviceJudges: RuleJudges = {
  ...judgesOfRefusals,
  ...judgesOfResponses,
  ...judgesOfLists,
  ...judgesOfTraversals,
  ...judgesOfAccess,
  ...judgesOfEntities,
  ...judgesOfUpdates,
  ...judgesOfUsers,
  ...judgesOfOauth,
  ...judgesOfRates,
  ...judgesOfEvents,
  ...judgesOfPublishedChanges,
};

const MAX_FAILURES = 3;
const MAX_EARLIER_EXCHANGES = 6;
const MAX_BODY_CHARACTERS = 20_000;
const UNDECIDABLE = 'what passes does not show whether the service follows the rule';
const NOTHING = 'no exchange shows whether the service follows the rule';

export interface ServiceRun {
  /** Entries of a journal, or of a file, in any order. */
  readonly calls: readonly Call[];
  /** The service's base URL. */
  readonly url: string;
  readonly name?: string;
  /** The selected rules. Default: all that can be seen in traffic. */
  readonly rules?: readonly string[] | undefined;
  /** The number of calls that the journal removed before they were read. */
  readonly missed?: number;
}

interface JournalOptions extends Pick<ServiceRun, 'name' | 'rules'> {
  readonly since?: number | Date | undefined;
}

/**
 * Judges the service by the journal of a kit, or of a proxy in front of the service.
 * @param url the kit's or proxy's base URL
 * @param since the number of the last entry to skip, or the time from which to read
 */
export async function judgeJournal(control: ControlClient, url: string, options: JournalOptions = {}): Promise<Results> {
  const { since, ...run } = options;
  const { upstream } = (await control.GET('/_control/info')).data;
  const { calls, facts } = await readCalls(control, since);
  return judgeService({ calls, url: upstream?.api ?? url, missed: facts.missed, ...run });
}

/** Judges which rules a service follows, by what passed between it and its clients. */
export function judgeService({ calls, url, name, rules: selected, missed = 0 }: ServiceRun): Results {
  const startedAt = new Date();
  const traffic = createTraffic(calls, url);
  const columns = listColumns(traffic.exchanges);
  const { deliveries } = traffic;
  // Without deliveries, the report does not list the rules about events.
  const isJudged = (id: RuleId) => selected?.includes(id) ?? (deliveries.length > 0 || rules[id].document !== 'asyncapi');
  const scope = rulesInScope.filter(({ id }) => isJudged(id));
  const twin = new Twin();
  twin.follow(traffic.exchanges);
  const compared = Map.groupBy(twin.conclude(), ({ rule }) => rule);
  const findings = scope.flatMap((rule) => toFindings(rule, judgeRule(rule.id, traffic, compared.get(rule.id)), columns));
  return {
    format: 'experience-provider-kit/conformance-results',
    version: RESULTS_VERSION,
    kit: version,
    target: { baseUrl: url, kind: 'foreign', name: name ?? `${url}, by its traffic` },
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    interrupted: false,
    columns,
    partial: selected !== undefined,
    rules: aggregate({ rules: scope, columns, findings }),
    observations: twin.listDecisions(),
    leftovers: [],
    errors: [],
    notes: [
      `Judged the responses to ${formatPlural(traffic.exchanges.length, 'request')} to operations of ${url}.`,
      ...(deliveries.length > 0 ? [`Judged ${formatPlural(deliveries.length, 'delivery', 'deliveries')}.`] : []),
      ...(missed > 0 ? [`Not judged, because the journal had removed them: ${formatPlural(missed, 'earlier request')}.`] : []),
    ],
  };
}

function judgeRule(id: RuleId, traffic: Traffic, compared: readonly Finding[] = []): readonly Shown[] | undefined {
  const judged = serviceJudges[id]?.(traffic);
  const others = compared.map(({ shown }) => shown).filter(({ broken }) => judged === undefined || broken !== undefined);
  return judged === undefined && others.length === 0 ? undefined : [...others, ...(judged ?? [])];
}

/** The path forms that were used. */
function listColumns(exchanges: readonly Exchange[]): readonly PathForm[] {
  const used = PATH_FORMS.filter((form) => exchanges.some((each) => each.form === form));
  return used.length === 0 ? ['prefixed'] : used;
}

function toFindings(rule: RuleInScope, shown: readonly Shown[] | undefined, columns: readonly PathForm[]): readonly RuleCheck[] {
  const own = columns.length === 1 ? columns : columns.filter((column) => rule.columns.includes(column));
  const [, onlyForm = undefined] = /(prefixed|flat)(?:-served)?$/.exec(rule.id) ?? [];
  return own.flatMap((column): RuleCheck | RuleCheck[] => {
    if (onlyForm !== undefined && onlyForm !== column)
      return {
        rule: rule.id,
        column,
        check: { title: rule.text, verdict: 'not-applicable', reason: `the rule is about the ${onlyForm} path form` },
      };
    // An operation with only one path, and the authorization server, belong to both forms.
    const inColumn = shown?.filter(({ exchange: { form } }) => form === undefined || form === column || own.length === 1);
    return toChecks(rule, inColumn).map((check) => ({ rule: rule.id, column, check }));
  });
}

function toChecks({ id, text }: RuleInScope, shown: readonly Shown[] | undefined): Check[] {
  if (shown === undefined || shown.length === 0)
    return [{ title: text, verdict: 'not-exercised', reason: shown === undefined ? UNDECIDABLE : NOTHING }];
  const broken = shown.filter((each) => each.broken !== undefined);
  if (broken.length > 0) return broken.slice(0, MAX_FAILURES).map((each, index) => toFailedCheck(id, each, index, broken.length));
  return [{ title: `${text} (shown by ${formatPlural(shown.length, 'exchange')})`, verdict: 'passed' }];
}

function toFailedCheck(id: RuleId, { exchange, broken = '', before = [] }: Shown, index: number, count: number): Check {
  const { traceId } = Object(exchange.answer.json) as { traceId?: unknown };
  const omitted = index === 0 && count > MAX_FAILURES ? ` ${count - MAX_FAILURES} more exchanges break the rule.` : '';
  return {
    title: `${rules[id].text} (#${exchange.call.number}${omitted === '' ? '' : ';'}${omitted})`,
    verdict: 'failed',
    failure: {
      message: broken.slice(0, MAX_BODY_CHARACTERS),
      exchange: toReported(exchange),
      ...(before.length > 0 && { before: before.slice(-MAX_EARLIER_EXCHANGES).map(toReported) }),
      ...(typeof traceId === 'string' && { traceId }),
    },
  };
}

function toReported({ answer: { json: _, requestBody, text, ...exchange } }: Pick<Exchange, 'answer'>): ReportedExchange {
  const shown = text.length > MAX_BODY_CHARACTERS ? `${text.slice(0, MAX_BODY_CHARACTERS)} … (${text.length} characters)` : text;
  return { ...exchange, ...(requestBody !== undefined && { requestBody }), text: shown };
}
