import { entityForms } from '../../../../contract/generated/entity-forms.ts';
import { useResource } from '../../kit/resource.ts';
import { formatLabel } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import {
  buildEntityHref,
  buildListHref,
  type Collection,
  changeCount,
  collections,
  type Entity,
  getName,
  listEntities,
  type Owner,
} from './model.ts';

const MAX_ENTITIES_SHOWN = 8;

interface Relation {
  readonly collection: Collection;
  readonly owner: Owner;
}

const ASSIGNMENT_FILTER_BY_COLLECTION: Readonly<Partial<Record<Collection, Owner>>> = {
  accounts: 'account',
  users: 'target',
  telephoneNumbers: 'target',
};

function listRelations(collection: Collection): readonly Relation[] {
  const related = collections.flatMap((other) =>
    Object.entries(entityForms[other].references)
      .filter(([, referred]) => referred === collection)
      .map(([owner]) => ({ collection: other, owner: owner as Owner })),
  );
  const owner = ASSIGNMENT_FILTER_BY_COLLECTION[collection];
  return owner ? [...related, { collection: 'assignments', owner }] : related;
}

export function Relations({ collection, entity }: { collection: Collection; entity: Entity }) {
  const relations = listRelations(collection);
  if (relations.length === 0) return null;
  return (
    <Section title="Related entities">
      <div class="columns">
        {relations.map((relation) => (
          <RelatedEntities key={relation.collection} {...relation} name={getName(entity)} />
        ))}
      </div>
    </Section>
  );
}

function RelatedEntities({ collection, owner, name }: Relation & { name: string }) {
  const page = useResource(() => listEntities(collection, { limit: MAX_ENTITIES_SHOWN, [owner]: name }), [changeCount.value]);
  const entities = page.data?.entities ?? [];
  return (
    <div class="stack tight text-2">
      <h3>
        <a href={buildListHref(collection, { [owner]: name })}>{formatLabel(collection)}</a>
      </h3>
      <ul>
        {entities.map((each) => (
          <li key={each.alias}>
            <a href={buildEntityHref(collection, getName(each))}>{each.alias}</a>
          </li>
        ))}
        {page.data && entities.length === 0 && <li class="muted">none</li>}
        {page.data?.next !== undefined && (
          <li>
            <a href={buildListHref(collection, { [owner]: name })}>Show all</a>
          </li>
        )}
      </ul>
    </div>
  );
}
