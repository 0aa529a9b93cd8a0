import { useLocation } from 'preact-iso/router';
import { call, type Schemas } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { Action, Button } from '../../ui/button.tsx';
import { CopyLine } from '../../ui/code.tsx';
import { buildHref, EmptyNote, Loaded, Note, Section } from '../../ui/page.tsx';
import { type Column, Table, withNote } from '../../ui/table.tsx';
import { Badge } from '../../ui/values.tsx';
import { VerdictBadge, verdicts } from './report-list.tsx';

type Rule = Schemas['JudgedRule'];

export function Findings() {
  const { query, route } = useLocation();
  const since = /^\d+$/.test(query.since ?? '') ? Number(query.since) : 0;
  const lists = query.lists === 'whole' ? 'whole' : 'parts';
  const findings = useResource(() => call('readFindings', { since, lists }), [since, lists], { on: ['journal'], pauseMs: 2000 });
  const setQuery = (members: Readonly<Record<string, string>>) => route(buildHref('/reports/client', { ...query, ...members }), true);
  const checkFromNow = async () => {
    const [newest] = await call('listRequests', { limit: 1 });
    setQuery({ since: String(newest?.number ?? 0) });
  };
  return (
    <>
      <div class="row">
        <Action run={checkFromNow} done="Only requests from now on are checked." text="Check from now on" />
        {since > 0 && <Button onClick={() => setQuery({ since: '' })} text="Check all requests" />}
        <label class="row">
          <input
            type="checkbox"
            checked={lists === 'whole'}
            onChange={({ currentTarget }) => setQuery({ lists: currentTarget.checked ? 'whole' : '' })}
          />
          The client always needs whole lists
        </label>
      </div>
      <Loaded from={findings}>
        {(judged) => (
          <>
            <JudgedRules judged={judged} />
            <Coverage answers={judged.coverage} />
          </>
        )}
      </Loaded>
    </>
  );
}

function JudgedRules({ judged: { calls, first, rules } }: { judged: Schemas['Findings'] }) {
  const groups = Map.groupBy(rules, ({ verdict }) => verdict);
  const broken = groups.get('failed') ?? [];
  const from = first === undefined || first === 1 ? '' : `, starting with number ${first} in the journal`;
  return (
    <Section title="Rules for clients" lead={`${calls} ${calls === 1 ? 'request was' : 'requests were'} checked${from}.`}>
      {calls === 0 && (
        <EmptyNote title="No requests to check" lead="Let your client call the API. Each request is checked as it arrives." />
      )}
      {calls > 0 && broken.length === 0 && <Note tone="good">No rule is broken so far.</Note>}
      {broken.map((rule) => (
        <BrokenRule key={rule.id} rule={rule} />
      ))}
      {verdicts
        .filter((verdict) => verdict !== 'failed' && groups.has(verdict))
        .map((verdict) => (
          <RuleGroup key={verdict} verdict={verdict} rules={groups.get(verdict) ?? []} />
        ))}
    </Section>
  );
}

function BrokenRule({ rule: { id, text, level, section, outcomes } }: { rule: Rule }) {
  const tone = level === 'advice' ? 'warn' : 'bad';
  return (
    <article class="stack callout" data-tone={tone} aria-label={id}>
      <header>
        <h3>{text}</h3>
        <p>
          <Badge tone={tone}>{level === 'advice' ? 'not followed' : 'broken'}</Badge> <code>{id}</code>{' '}
          <small>
            {section} · {level}
          </small>
        </p>
      </header>
      {outcomes
        .filter(({ verdict }) => verdict === 'failed')
        .map(({ title, text: message, calls }) => (
          <div key={title}>
            <p>{message}</p>
            <ul class="calls mono text-2">
              {calls.map(({ text: line, traceId, breaks }) => (
                <li key={line} data-breaks={breaks}>
                  {traceId === undefined ? line : <a href={buildHref(`/requests/${traceId}`)}>{line}</a>}
                </li>
              ))}
            </ul>
          </div>
        ))}
    </article>
  );
}

const RuleGroup = ({ verdict, rules }: { verdict: Rule['verdict']; rules: readonly Rule[] }) => (
  <details>
    <summary>
      <VerdictBadge verdict={verdict} count={rules.length} />
    </summary>
    <ul class="stack tight bullets text-2">
      {rules.map(({ id, text, outcomes }) => (
        <li key={id}>
          {text} <code class="muted">{id}</code>
          {outcomes.map(({ text: reason, title }) => reason !== undefined && <small key={title}>{reason}</small>)}
        </li>
      ))}
    </ul>
  </details>
);

type Answer = Schemas['CoveredAnswer'];

const COLUMNS: readonly Column<Answer>[] = [
  { name: 'Status', cell: ({ status }) => status },
  {
    name: 'When',
    cell: ({ text, rule, documented }) => withNote(text, [rule, !documented && 'not documented'].filter(Boolean).join(', ')),
  },
  { name: 'Received', class: 'num', cell: ({ met }) => (met > 0 ? `${met} ×` : 'never') },
  {
    name: 'What the client did next, or how to get this response',
    cell: ({ met, status, next = [], provoke }) =>
      met > 0
        ? next.map((each) => <p key={each}>{each}</p>)
        : provoke !== undefined && <CopyLine text={provoke} label={`how to get ${status}`} />,
  },
];

function Coverage({ answers }: { answers: readonly Answer[] }) {
  const [met, all] = countReceived(answers);
  return (
    <Section title="Coverage" lead={`Your client received ${met} of the ${all} responses that the specification documents.`}>
      <div class="lines coverage">
        {[...Map.groupBy(answers, ({ operation }) => operation)].map(([operation, rows]) => (
          <OperationCoverage key={operation} name={operation} answers={rows} />
        ))}
      </div>
    </Section>
  );
}

function countReceived(answers: readonly Answer[]): readonly [met: number, all: number] {
  const documented = answers.filter((answer) => answer.documented);
  return [documented.filter(({ met }) => met > 0).length, documented.length];
}

function OperationCoverage({ name, answers }: { name: string; answers: readonly Answer[] }) {
  const [met, all] = countReceived(answers);
  return (
    <details>
      <summary class="row wide">
        <strong>{name}</strong>
        <small class="num">
          {met} of {all}
        </small>
        <span class="row" aria-hidden="true">
          {answers.map(({ status, rule, text, met: times }) => (
            <Badge key={`${status} ${rule} ${text}`} tone={times === 0 ? 'plain' : status < 400 ? 'good' : 'info'}>
              {status}
            </Badge>
          ))}
        </span>
      </summary>
      <Table rows={answers} columns={COLUMNS} />
    </details>
  );
}
