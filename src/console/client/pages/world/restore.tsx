import { control, getResponseData, type Schemas } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { Badge } from '../../ui/badge.tsx';
import { Loaded, Section } from '../../ui/page.tsx';
import { askToReplace } from './replace-world.tsx';

const LOST_DATA = 'All entities, events, deliveries and faults are replaced, and the journal is emptied. Snapshots are kept.';

const askToReset = (to: 'seed' | 'empty', title: string, action: string) =>
  askToReplace({ title, action, text: LOST_DATA, replace: () => getResponseData(control.POST('/_control/reset', { body: { to } })) });

export function Restore() {
  const scenarios = useResource(() => getResponseData(control.GET('/_control/scenarios')));
  return (
    <Section title="Reset" lead="A reset also removes the faults, the events and the journal. It keeps the snapshots.">
      <div class="actions">
        <button type="button" onClick={() => askToReset('seed', 'Reset the world to its initial state?', 'Reset')}>
          Reset to the initial state
        </button>
        <button type="button" onClick={() => askToReset('empty', 'Empty the world?', 'Empty')}>
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
            text: LOST_DATA,
            replace: () => getResponseData(control.POST('/_control/scenarios/{scenario}/load', { params: { path } })),
          })
        }
      >
        Load
      </button>
    </li>
  );
}
