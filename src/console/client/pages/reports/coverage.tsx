import type { Schemas } from '../../kit/control.ts';
import { CopyButton } from '../../ui/copy.tsx';
import { Section } from '../../ui/page.tsx';

type Answer = Schemas['CoveredAnswer'];

export function Coverage({ answers }: { answers: readonly Answer[] }) {
  const [met, all] = countReceived(answers);
  return (
    <Section title="Coverage" lead={`Your client received ${met} of the ${all} responses that the specification documents.`}>
      <div class="coverage">
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
        <span class="chips" aria-hidden="true">
          {answers.map(({ status, rule, text, met: times }) => (
            <span
              key={`${status} ${rule} ${text}`}
              class="chip"
              data-tone={times === 0 ? 'plain' : status < 400 ? 'good' : 'info'}
              title={text}
            >
              {status}
            </span>
          ))}
        </span>
      </summary>
      <div class="table-frame">
        <table>
          <thead>
            <tr>
              <th scope="col">Status</th>
              <th scope="col">When</th>
              <th scope="col">Received</th>
              <th scope="col">What the client did next, or how to get this response</th>
            </tr>
          </thead>
          <tbody>
            {answers.map(({ status, rule, text, met: times, next = [], provoke, documented }) => (
              <tr key={`${status} ${rule} ${text}`}>
                <td>{status}</td>
                <td>
                  {text}
                  {rule !== undefined && <small>{rule}</small>}
                  {!documented && <small>not documented</small>}
                </td>
                <td class="num">{times > 0 ? `${times} ×` : 'never'}</td>
                <td>
                  {times > 0
                    ? next.map((each) => <p key={each}>{each}</p>)
                    : provoke !== undefined && (
                        <span class="provoke">
                          <code>{provoke}</code>
                          <CopyButton text={provoke} label={`how to get ${status}`} />
                        </span>
                      )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
