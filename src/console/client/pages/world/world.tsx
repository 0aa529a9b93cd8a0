import { entityForms } from '../../../../contract/generated/entity-forms.ts';
import { call, type Schemas } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { formatLabel } from '../../ui/form.tsx';
import { Loaded, NotFound, Page, type PageProps, Part, Section, Tabs } from '../../ui/page.tsx';
import { Badge } from '../../ui/values.tsx';
import { EntityDetail } from './entity.tsx';
import { EntityList } from './list.tsx';
import { type Collection, changeCount, collections } from './model.ts';
import { ReplaceButton } from './replace-world.tsx';
import { Snapshots } from './snapshots.tsx';
import { WorldFile } from './world-file.tsx';

/** The view with everything that replaces the world. */
const WHOLE = 'all';
/** The page of events shows the subscriptions. */
const hasTab = (collection: Collection) => collection !== 'subscriptions';

export default function World({ params: { collection = 'accounts', name } = {} }: PageProps) {
  const world = useResource(() => call('readWorld'), [changeCount.value]);
  if (collection !== WHOLE && !Object.hasOwn(entityForms, collection)) return <NotFound />;
  return (
    <Page title="World" lead="Everything that the service knows. View it, and change it as the portal or the platform does.">
      <Tabs
        label="Collections"
        current={`/world/${collection}`}
        tabs={[
          ...collections.filter(hasTab).map((each) => ({
            path: `/world/${each}`,
            label: formatLabel(each),
            note: <small class="num">{world.data?.entities[each]?.toLocaleString('en') ?? '…'}</small>,
          })),
          { path: `/world/${WHOLE}`, label: 'Snapshots & reset' },
        ]}
      />
      {collection === WHOLE ? (
        <div class="cards">
          <div class="stack loose">
            <Snapshots />
            <WorldFile />
          </div>
          <Restore />
        </div>
      ) : name === undefined ? (
        <EntityList key={collection} collection={collection as Collection} />
      ) : (
        <EntityDetail key={`${collection}/${name}`} collection={collection as Collection} name={name} />
      )}
    </Page>
  );
}

const LOST_DATA = 'All entities, events, deliveries and faults are replaced, and the journal is emptied. Snapshots are kept.';

function Restore() {
  const scenarios = useResource(() => call('listScenarios'));
  return (
    <Section title="Reset" lead="A reset also removes the faults, the events and the journal. It keeps the snapshots.">
      <div class="row">
        <ReplaceButton
          text="Reset to the initial state"
          title="Reset the world to its initial state?"
          action="Reset"
          warning={LOST_DATA}
          run={() => call('reset', { to: 'seed' })}
        />
        <ReplaceButton text="Empty the world" action="Empty" warning={LOST_DATA} run={() => call('reset', { to: 'empty' })} />
      </div>
      <Part title="Scenarios">
        <Loaded from={scenarios} lines={5}>
          {(listed) => (
            <ul class="lines">
              {listed.map((scenario) => (
                <ScenarioRow key={scenario.name} {...scenario} />
              ))}
            </ul>
          )}
        </Loaded>
      </Part>
    </Section>
  );
}

const ScenarioRow = ({ name, description, decisions }: Schemas['Scenario']) => (
  <li class="row nowrap">
    <div class="fill">
      <b>{name}</b> {Object.keys(decisions).length > 0 && <Badge tone="warn">needs decisions</Badge>}
      <small>{description}</small>
    </div>
    <ReplaceButton
      text="Load"
      label={`Load the scenario ${name}`}
      action="Load"
      warning={LOST_DATA}
      run={() => call('loadScenario', { scenario: name })}
    />
  </li>
);
