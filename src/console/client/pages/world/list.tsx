import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { entityForms } from '../../../../contract/generated/entity-forms.ts';
import { useResource } from '../../kit/resource.ts';
import { Icon } from '../../ui/icon.tsx';
import { Empty, Loaded, Section } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { EntityForm } from './entity-form.tsx';
import {
  owners as allOwners,
  type Collection,
  changes,
  type Entity,
  entityHref,
  labelOf,
  listEntities,
  listHref,
  nameOf,
} from './model.ts';
import { MemberValue } from './value.tsx';

const LIMIT = 50;

/** A page of the entities of a collection. The address has the filters and the position, so a long collection is never loaded as a whole. */
export function EntityList({ collection }: { collection: Collection }) {
  const { query, route } = useLocation();
  const [isCreating, setCreating] = useState(false);
  const { singular, actor } = entityForms[collection];
  const owners = Object.fromEntries(allOwners.flatMap((owner) => (query[owner] ? [[owner, query[owner]]] : [])));
  const selection = { ...owners, ...(query.search && { search: query.search }) };
  const position = query.after ? { after: query.after } : {};
  const page = useResource(
    () => listEntities(collection, { limit: LIMIT, ...selection, ...position }),
    [collection, JSON.stringify(query), changes.value],
  );
  return (
    <Section
      title={labelOf(collection)}
      class="entity-list"
      actions={
        <button type="button" class="primary" onClick={() => setCreating(true)}>
          <Icon name="plus" /> New {singular}
        </button>
      }
    >
      <search class="find">
        <Search
          key={query.search}
          value={query.search ?? ''}
          onChange={(search) => route(listHref(collection, { ...owners, search }), true)}
        />
        {Object.entries(owners).map(([owner, name]) => (
          <a
            key={owner}
            class="button"
            href={listHref(collection, { ...selection, [owner]: undefined })}
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
              <Empty icon="world" title={Object.keys(query).length > 0 ? `No ${singular} matches` : `This world has no ${singular}`}>
                <p>{Object.keys(query).length > 0 ? 'Change the search, or show all.' : 'Create one, or load a world that has some.'}</p>
              </Empty>
            ) : (
              <EntityTable collection={collection} entities={entities} />
            )}
            {(query.after || next !== undefined) && (
              <nav class="actions" aria-label="Pages of the list">
                {query.after && (
                  <a class="button" href={listHref(collection, selection)}>
                    First page
                  </a>
                )}
                {next !== undefined && (
                  <a class="button" href={listHref(collection, { ...selection, after: next })}>
                    Next {LIMIT}
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
          initial={initialOf(collection, owners)}
          onClose={() => setCreating(false)}
          onSaved={(entity) => route(entityHref(collection, nameOf(entity)))}
        />
      )}
    </Section>
  );
}

/** A new entity belongs to the owner that the list shows. */
const initialOf = (collection: Collection, owners: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(owners).filter(([owner]) => owner in entityForms[collection].references));

function Search({ value, onChange }: { value: string; onChange: (text: string) => void }) {
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
    <Table columns={[collection === 'telephoneNumbers' ? 'Number' : 'Alias', ...columns.map(labelOf)]} class="entities">
      {entities.map((entity) => (
        <tr key={entity.alias}>
          <td>
            <a href={entityHref(collection, nameOf(entity))}>{entity.alias}</a>
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
