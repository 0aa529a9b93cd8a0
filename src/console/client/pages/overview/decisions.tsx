import { useState } from 'preact/hooks';
import { call, type Schemas } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { CopyLine } from '../../ui/code.tsx';
import { TextInput } from '../../ui/inputs.tsx';
import { Loaded, Section } from '../../ui/page.tsx';
import { Badge } from '../../ui/values.tsx';

type Decision = Schemas['DecisionInForce'];
const INITIAL_DECISION_COUNT = 8;
const isChanged = ({ inForce, default: standard }: Decision) => inForce !== standard;

export function Decisions() {
  const decisions = useResource(() => call('listDecisions'));
  const [search = '', setSearch] = useState<string>();
  const [showsAll, showAll] = useState(false);
  return (
    <Section
      title="Decisions"
      lead="The specification leaves these points open. Changed decisions come first. To change a decision, restart the kit."
    >
      <div class="row wide filters">
        <TextInput
          label="Search"
          type="search"
          placeholder="such as pageSize or 409"
          value={search}
          onChange={(text) => setSearch(text as string | undefined)}
        />
      </div>
      <Loaded from={decisions}>
        {(list) => {
          const found = list
            .filter((decision) => matchesSearch(decision, search))
            .sort((one, other) => Number(isChanged(other)) - Number(isChanged(one)));
          const shown = showsAll || search !== '' ? found : found.slice(0, INITIAL_DECISION_COUNT);
          return (
            <>
              {shown.length === 0 && <p class="muted">No decision matches the search.</p>}
              <ul class="lines">
                {shown.map((decision) => (
                  <li key={decision.id} class="decision">
                    <DecisionEntry decision={decision} />
                  </li>
                ))}
              </ul>
              {shown.length < found.length && (
                <button type="button" onClick={() => showAll(true)}>
                  Show all {found.length} decisions
                </button>
              )}
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}

function matchesSearch({ id, question, inForce, section }: Decision, search: string): boolean {
  const text = `${id} ${question} ${String(inForce)} ${section}`.toLowerCase();
  return text.includes(search.trim().toLowerCase());
}

function DecisionEntry({ decision }: { decision: Decision }) {
  const { id, question, section, inForce, alternatives, means } = decision;
  return (
    <details>
      <summary class="row nowrap wide">
        <div class="fill">
          {question} <small class="mono">{id}</small>
        </div>
        <Badge tone={isChanged(decision) ? 'warn' : 'plain'}>{String(inForce)}</Badge>
      </summary>
      <div class="stack answer">
        {means[String(inForce)] && <p>{means[String(inForce)]}</p>}
        {alternatives.map((value) => (
          <div key={String(value)} class="stack tight">
            <p>
              <Badge>{String(value)}</Badge> {means[String(value)]}
            </p>
            <CopyLine text={`xpk start --set '${id}=${String(value)}'`} label={`command for ${id} ${String(value)}`} />
          </div>
        ))}
        <small>{section}</small>
      </div>
    </details>
  );
}
