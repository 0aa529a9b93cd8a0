import { useLocation } from 'preact-iso/router';
import { entityForms } from '../../../../contract/generated/entity-forms.ts';
import { nameReference } from '../../kit/names.ts';
import { useResource } from '../../kit/resource.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { DialogButton } from '../../ui/dialog.tsx';
import { FilterBar } from '../../ui/filters.tsx';
import { formatLabel } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { EmptyNote, Loaded, pickQuery, Section } from '../../ui/page.tsx';
import { type Column, Table, withNote } from '../../ui/table.tsx';
import { EntityForm } from './entity-form.tsx';
import { buildEntityHref, buildListHref, type Collection, describe, type Entity, getKey, listEntities, ownerNames } from './model.ts';
import { MemberValue } from './value.tsx';

const PAGE_SIZE = 50;
/** The number of members that a narrow window shows. */
const MAX_NARROW_MEMBERS = 2;
/** The members that have no column, because the name contains or stands for them. */
const IN_NAME = ['id', 'name', 'firstName', 'lastName'];

export function EntityList({ collection }: { collection: Collection }) {
  const { query, route } = useLocation();
  const { singular, actor, references } = entityForms[collection];
  const owners = pickQuery(query, ownerNames);
  const selection = pickQuery(query, [...ownerNames, 'search']);
  const listPage = () => listEntities(collection, { limit: PAGE_SIZE, ...selection, ...pickQuery(query, ['after']) });
  const page = useResource(listPage, [collection, JSON.stringify(query)], { on: ['event'] });
  const isFiltered = Object.keys(query).length > 0;
  return (
    <Section
      title={formatLabel(collection)}
      actions={
        <DialogButton class="primary" icon="plus" text={`New ${singular}`} title={`New ${singular}`}>
          {(close) => (
            <EntityForm
              collection={collection}
              actor={actor}
              initial={Object.fromEntries(Object.entries(owners).filter(([owner]) => owner in references))}
              onClose={close}
              onSaved={(entity) => route(buildEntityHref(collection, getKey(entity)))}
            />
          )}
        </DialogButton>
      }
    >
      <FilterBar
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
            {owner} {nameReference(`${owner}s` as Collection, name)} <Icon name="close" />
          </a>
        ))}
      </FilterBar>
      <Loaded from={page}>
        {({ entities, next }) => (
          <>
            {entities.length === 0 ? (
              <EmptyNote title={isFiltered ? `No ${singular} matches` : `This world has no ${singular}`}>
                {isFiltered ? 'Change the search, or show all.' : 'Create one, or load a world that has some.'}
              </EmptyNote>
            ) : (
              <Table rows={entities} columns={listColumns(collection)} />
            )}
            {(query.after || next !== undefined) && (
              <nav class="row" aria-label="Pages of the list">
                {query.after && <ButtonLink href={buildListHref(collection, selection)} text="First page" />}
                {next !== undefined && (
                  <ButtonLink href={buildListHref(collection, { ...selection, after: next })} text={`Next ${PAGE_SIZE}`} />
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
  const members = Object.keys(entityForms[collection].members).filter((member) => !IN_NAME.includes(member));
  return [
    {
      name: collection === 'telephoneNumbers' ? 'Number' : 'Name',
      cell: (entity) =>
        withNote(
          <strong>
            <a href={buildEntityHref(collection, getKey(entity))} title={entity.id}>
              {describe(entity)}
            </a>
          </strong>,
          ![entity.id, describe(entity)].includes(entity.alias) && entity.alias,
        ),
    },
    ...members.map((member, index) => ({
      name: formatLabel(member),
      class: index < MAX_NARROW_MEMBERS ? '' : 'wide-only',
      cell: (entity: Entity) => <MemberValue collection={collection} member={member} entity={entity} />,
    })),
  ];
}
