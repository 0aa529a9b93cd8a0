import { entityForms } from '../../../../contract/generated/entity-forms.ts';
import { useResource } from '../../kit/resource.ts';
import { Section } from '../../ui/page.tsx';
import {
  type Collection,
  changes,
  collections,
  type Entity,
  entityHref,
  labelOf,
  listEntities,
  listHref,
  nameOf,
  type Owner,
} from './model.ts';

const SHOWN = 8;

interface Relation {
  readonly collection: Collection;
  readonly owner: Owner;
}

/** The collections of the targets of assignments. An assignment also has the account of its target. */
const TARGETS: Readonly<Partial<Record<Collection, Owner>>> = { accounts: 'account', users: 'target', telephoneNumbers: 'target' };

/** The lists whose entities belong to an entity. */
function relationsOf(collection: Collection): readonly Relation[] {
  const related = collections.flatMap((other) =>
    Object.entries(entityForms[other].references)
      .filter(([, referred]) => referred === collection)
      .map(([owner]) => ({ collection: other, owner: owner as Owner })),
  );
  const owner = TARGETS[collection];
  return owner ? [...related, { collection: 'assignments', owner }] : related;
}

/** The entities that belong to an entity, the first of each collection. */
export function Relations({ collection, entity }: { collection: Collection; entity: Entity }) {
  const relations = relationsOf(collection);
  if (relations.length === 0) return null;
  return (
    <Section title="What belongs to it">
      <div class="relations">
        {relations.map((relation) => (
          <Related key={relation.collection} {...relation} name={nameOf(entity)} />
        ))}
      </div>
    </Section>
  );
}

function Related({ collection, owner, name }: Relation & { name: string }) {
  const page = useResource(() => listEntities(collection, { limit: SHOWN, [owner]: name }), [changes.value]);
  const entities = page.data?.entities ?? [];
  return (
    <div class="related">
      <h3>
        <a href={listHref(collection, { [owner]: name })}>{labelOf(collection)}</a>
      </h3>
      <ul class="values">
        {entities.map((each) => (
          <li key={each.alias}>
            <a href={entityHref(collection, nameOf(each))}>{each.alias}</a>
          </li>
        ))}
        {page.data && entities.length === 0 && <li class="nothing">none</li>}
        {page.data?.next !== undefined && (
          <li>
            <a href={listHref(collection, { [owner]: name })}>Show all</a>
          </li>
        )}
      </ul>
    </div>
  );
}
