import { useEffect, useRef } from 'preact/hooks';
import { entityForms } from '../../../../contract/generated/entity-forms.ts';
import { control, getResponseData } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { buildHref } from '../../ui/href.ts';
import { NotFound, Page, type PageProps } from '../../ui/page.tsx';
import { EntityDetail } from './entity.tsx';
import { EntityList } from './list.tsx';
import { buildListHref, type Collection, changeCount, collections, formatLabel } from './model.ts';
import { ReplaceDialog } from './replace-world.tsx';
import { Restore } from './restore.tsx';
import { Snapshots } from './snapshots.tsx';
import { WorldFile } from './world-file.tsx';

export default function World({ params: { collection, name } = {} }: PageProps) {
  if (collection !== undefined && !Object.hasOwn(entityForms, collection)) return <NotFound />;
  return (
    <Page title="World" lead="Everything that the service knows. View it, and change it as the portal or the platform does.">
      <CollectionTabs current={collection as Collection | undefined} />
      {collection === undefined ? (
        <div class="cards">
          <div class="stack">
            <Snapshots />
            <WorldFile />
          </div>
          <Restore />
          <ReplaceDialog />
        </div>
      ) : name === undefined ? (
        <EntityList key={collection} collection={collection as Collection} />
      ) : (
        <EntityDetail key={`${collection}/${name}`} collection={collection as Collection} name={name} />
      )}
    </Page>
  );
}

function CollectionTabs({ current }: { current: Collection | undefined }) {
  const world = useResource(() => getResponseData(control.GET('/_control/world')), [changeCount.value]);
  const nav = useRef<HTMLElement>(null);
  const isLoaded = world.data !== undefined;
  // The loaded counts make the tabs wider, so scroll to the current tab again.
  useEffect(() => {
    const tab = nav.current?.querySelector<HTMLElement>('[aria-current]');
    if (nav.current && tab) nav.current.scrollLeft = tab.offsetLeft - (nav.current.clientWidth - tab.clientWidth) / 2;
  }, [current, isLoaded]);
  return (
    <nav class="tabs" aria-label="Collections" ref={nav}>
      <a href={buildHref('/world')} aria-current={current === undefined ? 'page' : undefined}>
        Whole world
      </a>
      {collections.map((collection) => (
        <a key={collection} href={buildListHref(collection)} aria-current={current === collection ? 'page' : undefined}>
          {formatLabel(collection)} <small>{world.data?.entities[collection]?.toLocaleString('en') ?? '…'}</small>
        </a>
      ))}
    </nav>
  );
}
