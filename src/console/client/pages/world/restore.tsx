import { control, dataOf, type Schemas } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { Badge } from '../../ui/badge.tsx';
import { Loaded, Section } from '../../ui/page.tsx';
import { askToReplace } from './replaced.tsx';

const LOST = 'All entities, events, deliveries and faults are replaced, and the journal is emptied. Snapshots are kept.';

const reset = (to: 'seed' | 'empty', title: string, action: string) =>
  askToReplace({ title, action, text: LOST, replace: () => dataOf(control.POST('/_control/reset', { body: { to } })) });

/** Goes back to the start, or to a scenario of the package. */
export function Restore() {
  const scenarios = useResource(() => dataOf(control.GET('/_control/scenarios')));
  return (
    <Section title="Reset" lead="A reset also removes the faults, the events and the journal. It keeps the snapshots.">
      <div class="actions">
        <button type="button" onClick={() => reset('seed', 'Reset the world to the start?', 'Reset')}>
          Reset to the start
        </button>
        <button type="button" onClick={() => reset('empty', 'Empty the world?', 'Empty')}>
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
        onClick={() =>
          askToReplace({
            title: `Load the scenario ${name}?`,
            action: 'Load',
            text: LOST,
            replace: () => dataOf(control.POST('/_control/scenarios/{scenario}/load', { params: { path } })),
          })
        }
      >
        Load
      </button>
    </li>
  );
}
