import type { Schemas } from '../../kit/control.ts';
import { Badge } from '../../ui/badge.tsx';
import { CopyLine } from '../../ui/code.tsx';
import { Section } from '../../ui/page.tsx';
import { type Column, Table } from '../../ui/table.tsx';

type Answer = Schemas['CoveredAnswer'];

const COLUMNS: readonly Column<Answer>[] = [
  { name: 'Status', cell: ({ status }) => status },
  {
    name: 'When',
    cell: ({ text, rule, documented }) => (
      <>
        {text}
        {rule !== undefined && <small>{rule}</small>}
        {!documented && <small>not documented</small>}
      </>
    ),
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

export function Coverage({ answers }: { answers: readonly Answer[] }) {
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
      <summary>
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
