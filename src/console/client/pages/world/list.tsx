import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { entityForms } from '../../../../contract/generated/entity-forms.ts';
import { useResource } from '../../kit/resource.ts';
import { Icon } from '../../ui/icon.tsx';
import { EmptyNote, Loaded, Section } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { EntityForm } from './entity-form.tsx';
import {
  owners as allOwners,
  buildEntityHref,
  buildListHref,
  type Collection,
  changeCount,
  type Entity,
  formatLabel,
  getName,
  listEntities,
} from './model.ts';
import { MemberValue } from './value.tsx';

const PAGE_SIZE = 50;

/** The filters and the position are in the URL. */
export function EntityList({ collection }: { collection: Collection }) {
  const { query, route } = useLocation();
  const [isCreating, setCreating] = useState(false);
  const { singular, actor } = entityForms[collection];
  const owners = Object.fromEntries(allOwners.flatMap((owner) => (query[owner] ? [[owner, query[owner]]] : [])));
  const selection = { ...owners, ...(query.search && { search: query.search }) };
  const position = query.after ? { after: query.after } : {};
  const page = useResource(
    () => listEntities(collection, { limit: PAGE_SIZE, ...selection, ...position }),
    [collection, JSON.stringify(query), changeCount.value],
  );
  return (
    <Section
      title={formatLabel(collection)}
      class="entity-list"
      actions={
        <button type="button" class="primary" onClick={() => setCreating(true)}>
          <Icon name="plus" /> New {singular}
        </button>
      }
    >
      <search class="find">
        <SearchField
          key={query.search}
          value={query.search ?? ''}
          onChange={(search) => route(buildListHref(collection, { ...owners, search }), true)}
        />
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
      </search>
      <Loaded from={page} lines={10}>
        {({ entities, next }) => (
          <>
            {entities.length === 0 ? (
              <EmptyNote icon="world" title={Object.keys(query).length > 0 ? `No ${singular} matches` : `This world has no ${singular}`}>
                <p>{Object.keys(query).length > 0 ? 'Change the search, or show all.' : 'Create one, or load a world that has some.'}</p>
              </EmptyNote>
            ) : (
              <EntityTable collection={collection} entities={entities} />
            )}
            {(query.after || next !== undefined) && (
              <nav class="actions" aria-label="Pages of the list">
                {query.after && (
                  <a class="button" href={buildListHref(collection, selection)}>
                    First page
                  </a>
                )}
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
      {isCreating && (
        <EntityForm
          collection={collection}
          actor={actor}
          initial={createInitialValues(collection, owners)}
          onClose={() => setCreating(false)}
          onSaved={(entity) => route(buildEntityHref(collection, getName(entity)))}
        />
      )}
    </Section>
  );
}

const createInitialValues = (collection: Collection, owners: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(owners).filter(([owner]) => owner in entityForms[collection].references));

function SearchField({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const [text, setText] = useState(value);
  useEffect(() => {
    const timer = text === value ? undefined : setTimeout(() => onChange(text), 300);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <label class="field">
      <span>Find by alias</span>
      <input type="search" value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} />
    </label>
  );
}

function EntityTable({ collection, entities }: { collection: Collection; entities: readonly Entity[] }) {
  const columns = Object.keys(entityForms[collection].members).filter((member) => member !== 'id');
  return (
    <Table columns={[collection === 'telephoneNumbers' ? 'Number' : 'Alias', ...columns.map(formatLabel)]} class="entities">
      {entities.map((entity) => (
        <tr key={entity.alias}>
          <td>
            <a href={buildEntityHref(collection, getName(entity))}>{entity.alias}</a>
          </td>
          {columns.map((member) => (
            <td key={member}>
              <MemberValue collection={collection} member={member} entity={entity} />
            </td>
          ))}
        </tr>
      ))}
    </Table>
  );
}
