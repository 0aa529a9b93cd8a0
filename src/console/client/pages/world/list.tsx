import { useLocation } from 'preact-iso/router';
import { entityForms } from '../../../../contract/generated/entity-forms.ts';
import { useResource } from '../../kit/resource.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { DialogButton } from '../../ui/dialog.tsx';
import { FilterBar } from '../../ui/filters.tsx';
import { formatLabel } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { EmptyNote, Loaded, pickQuery, Section } from '../../ui/page.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { EntityForm } from './entity-form.tsx';
import { owners as allOwners, buildEntityHref, buildListHref, type Collection, type Entity, getName, listEntities } from './model.ts';
import { MemberValue } from './value.tsx';

const PAGE_SIZE = 50;
/** The number of members that a narrow window shows. */
const MAX_NARROW_MEMBERS = 2;

/** The filters and the position are in the URL. */
export function EntityList({ collection }: { collection: Collection }) {
  const { query, route } = useLocation();
  const { singular, actor, references } = entityForms[collection];
  const owners = pickQuery(query, allOwners);
  const selection = pickQuery(query, [...allOwners, 'search']);
  const listPage = () => listEntities(collection, { limit: PAGE_SIZE, ...selection, ...pickQuery(query, ['after']) });
  const page = useResource(listPage, [collection, JSON.stringify(query)], { on: ['event'] });
  const isFiltered = Object.keys(query).length > 0;
  return (
    <Section
      isTitleHidden
      title={formatLabel(collection)}
      actions={
        <DialogButton class="primary" icon="plus" text={`New ${singular}`} title={`New ${singular}`}>
          {(close) => (
            <EntityForm
              collection={collection}
              actor={actor}
              initial={Object.fromEntries(Object.entries(owners).filter(([owner]) => owner in references))}
              onClose={close}
              onSaved={(entity) => route(buildEntityHref(collection, getName(entity)))}
            />
          )}
        </DialogButton>
      }
    >
      <FilterBar
        isImmediate
        query={selection}
        hrefFor={(changed) => buildListHref(collection, changed)}
        filters={{ search: { label: 'Find by alias or name' } }}
      >
        {Object.entries(owners).map(([owner, name]) => (
          <a
            key={owner}
            class="button"
            href={buildListHref(collection, { ...selection, [owner]: undefined })}
            aria-label={`Show all, not only ${owner} ${name}`}
          >
            {owner} {name} <Icon name="close" />
          </a>
        ))}
      </FilterBar>
      <Loaded from={page} lines={10}>
        {({ entities, next }) => (
          <>
            {entities.length === 0 ? (
              <EmptyNote icon="world" title={isFiltered ? `No ${singular} matches` : `This world has no ${singular}`}>
                {isFiltered ? 'Change the search, or show all.' : 'Create one, or load a world that has some.'}
              </EmptyNote>
            ) : (
              <Table rows={entities} columns={listColumns(collection)} />
            )}
            {(query.after || next !== undefined) && (
              <nav class="row" aria-label="Pages of the list">
                {query.after && <ButtonLink href={buildListHref(collection, selection)} text="First page" />}
                {next !== undefined && (
                  <a class="button" href={buildListHref(collection, { ...selection, after: next })}>
                    Next {PAGE_SIZE}
                  </a>
                )}
              </nav>
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}

function listColumns(collection: Collection): readonly Column<Entity>[] {
  const members = Object.keys(entityForms[collection].members).filter((member) => member !== 'id');
  return [
    {
      name: collection === 'telephoneNumbers' ? 'Number' : 'Alias',
      cell: (entity) => (
        <strong>
          <a href={buildEntityHref(collection, getName(entity))}>{entity.alias}</a>
        </strong>
      ),
    },
    ...members.map((member, index) => ({
      name: formatLabel(member),
      class: index < MAX_NARROW_MEMBERS ? '' : 'wide-only',
      cell: (entity: Entity) => <MemberValue collection={collection} member={member} entity={entity} />,
    })),
  ];
}
