import { useLocation } from 'preact-iso/router';
import { control, getResponseData, type Schemas } from '../../kit/control.ts';
import { useLive } from '../../kit/live.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { buildHref } from '../../ui/href.ts';
import { EmptyNote, Loaded, Section } from '../../ui/page.tsx';
import { runAction } from '../../ui/toast.tsx';
import { Coverage } from './coverage.tsx';
import { VERDICTS } from './verdicts.ts';

type Rule = Schemas['JudgedRule'];
type JudgedCalls = Schemas['Findings'];

export function Findings() {
  const { query, route } = useLocation();
  const since = /^\d+$/.test(query.since ?? '') ? Number(query.since) : 0;
  const lists = query.lists === 'whole' ? 'whole' : 'parts';
  const findings = useLive(
    () => getResponseData(control.GET('/_control/findings', { params: { query: { since, lists } } })),
    [since, lists],
    ['journal'],
    2000,
  );
  const setQuery = (members: Readonly<Record<string, string>>) => route(buildHref('/reports/client', { ...query, ...members }), true);
  const checkFromNow = async () => {
    const [newest] = await getResponseData(control.GET('/_control/requests', { params: { query: { limit: 1 } } }));
    setQuery({ since: String(newest?.number ?? 0) });
  };
  return (
    <>
      <div class="actions judging">
        <button type="button" onClick={() => void runAction(checkFromNow, 'Only requests from now on are checked.')}>
          Check from now on
        </button>
        {since > 0 && (
          <button type="button" onClick={() => setQuery({ since: '' })}>
            Check all requests
          </button>
        )}
        <label class="check">
          <input
            type="checkbox"
            checked={lists === 'whole'}
            onChange={({ currentTarget }) => setQuery({ lists: currentTarget.checked ? 'whole' : '' })}
          />
          The client always needs whole lists
        </label>
      </div>
      <Loaded from={findings} lines={12}>
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

function JudgedRules({ judged: { calls, first, rules } }: { judged: JudgedCalls }) {
  const broken = rules.filter(({ verdict }) => verdict === 'failed');
  const rest = VERDICTS.filter(([verdict]) => verdict !== 'failed').map(
    ([verdict, tone, word]) => [tone, word, rules.filter((rule) => rule.verdict === verdict)] as const,
  );
  const from = first === undefined || first === 1 ? '' : `, starting with number ${first} in the journal`;
  return (
    <Section title="Rules for clients" lead={`${calls} ${calls === 1 ? 'request was' : 'requests were'} checked${from}.`}>
      {calls === 0 && (
        <EmptyNote icon="requests" title="No requests to check">
          <p>Let your client call the API. Each request is checked as it arrives.</p>
        </EmptyNote>
      )}
      {calls > 0 && broken.length === 0 && <p class="none-broken">No rule is broken so far.</p>}
      {broken.map((rule) => (
        <BrokenRule key={rule.id} rule={rule} />
      ))}
      {rest
        .filter(([, , group]) => group.length > 0)
        .map(([tone, word, group]) => (
          <RuleGroup key={word} tone={tone} word={word} rules={group} />
        ))}
    </Section>
  );
}

function BrokenRule({ rule: { id, text, level, section, outcomes } }: { rule: Rule }) {
  return (
    <article class="broken" data-tone={level === 'advice' ? 'warn' : 'bad'} aria-label={id}>
      <header>
        <h3>{text}</h3>
        <p>
          <Badge tone={level === 'advice' ? 'warn' : 'bad'}>{level === 'advice' ? 'not followed' : 'broken'}</Badge> <code>{id}</code>{' '}
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
            <ul class="calls">
              {calls.map(({ text: line, traceId, breaks }) => (
                <li key={line} data-breaks={breaks}>
                  {traceId === undefined ? <code>{line}</code> : <a href={buildHref(`/requests/${traceId}`)}>{line}</a>}
                </li>
              ))}
            </ul>
          </div>
        ))}
    </article>
  );
}

function RuleGroup({ tone, word, rules }: { tone: Tone; word: string; rules: readonly Rule[] }) {
  return (
    <details class="rule-group">
      <summary>
        <Badge tone={tone}>
          {rules.length} {word}
        </Badge>
      </summary>
      <ul>
        {rules.map(({ id, text, outcomes }) => (
          <li key={id}>
            {text} <code>{id}</code>
            {outcomes.map(({ text: reason, title }) => reason !== undefined && <small key={title}>{reason}</small>)}
          </li>
        ))}
      </ul>
    </details>
  );
}
