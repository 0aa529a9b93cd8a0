import { entityForms } from '../../../../contract/generated/entity-forms.ts';
import { call } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { formatLabel } from '../../ui/form.tsx';
import { NotFound, Page, type PageProps, Tabs } from '../../ui/page.tsx';
import { EntityDetail } from './entity.tsx';
import { EntityList } from './list.tsx';
import { type Collection, collections } from './model.ts';
import { Changes, Reset, Snapshots } from './replace-world.tsx';
import { WorldFile } from './world-file.tsx';

const WHOLE = 'all';
/** The page of events shows the subscriptions. */
const hasTab = (collection: Collection) => collection !== 'subscriptions';

export default function World({ params: { collection = 'accounts', name } = {} }: PageProps) {
  const world = useResource(() => call('readWorld'), [], { on: ['event'] });
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
            <Changes />
            <Snapshots />
            <WorldFile />
          </div>
          <Reset />
        </div>
      ) : name === undefined ? (
        <EntityList key={collection} collection={collection as Collection} />
      ) : (
        <EntityDetail key={`${collection}/${name}`} collection={collection as Collection} name={name} />
      )}
    </Page>
  );
}
