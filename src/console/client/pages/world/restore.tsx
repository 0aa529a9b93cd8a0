import { control, dataOf, type Schemas } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { Badge } from '../../ui/badge.tsx';
import { Loaded, Section } from '../../ui/page.tsx';
import { replaceWorld } from './replaced.ts';

const reset = (to: string) => replaceWorld(() => dataOf(control.POST('/_control/reset', { body: { to } })));

/** Goes back to the start, or to a scenario of the package. */
export function Restore() {
  const scenarios = useResource(() => dataOf(control.GET('/_control/scenarios')));
  return (
    <Section title="Reset" lead="A reset also removes the faults, the events and the journal. It keeps the snapshots.">
      <div class="actions">
        <button type="button" onClick={() => void reset('seed')}>
          Reset to the start
        </button>
        <button type="button" onClick={() => void reset('empty')}>
          Empty the world
        </button>
      </div>
      <h3>Scenarios</h3>
      <Loaded from={scenarios} lines={5}>
        {(listed) => (
          <ul class="rows">
            {listed.map((scenario) => (
              <ScenarioRow key={scenario.name} {...scenario} />
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  );
}

function ScenarioRow({ name, description, decisions }: Schemas['Scenario']) {
  const needed = Object.keys(decisions);
  const path = { scenario: name };
  return (
    <li>
      <div>
        <b>{name}</b> {needed.length > 0 && <Badge tone="warn">needs decisions</Badge>}
        <small>{description}</small>
      </div>
      <button
        type="button"
        aria-label={`Load the scenario ${name}`}
        onClick={() => void replaceWorld(() => dataOf(control.POST('/_control/scenarios/{scenario}/load', { params: { path } })))}
      >
        Load
      </button>
    </li>
  );
}
