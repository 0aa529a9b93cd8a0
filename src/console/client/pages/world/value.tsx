import { entityForms } from '../../../../contract/generated/entity-forms.ts';
import { nameReference } from '../../kit/names.ts';
import { CopyLine } from '../../ui/code.tsx';
import { StateBadge, TimeText } from '../../ui/values.tsx';
import { buildEntityHref, type Collection, type Entity, getReferredCollection } from './model.ts';

interface MemberValueProps {
  readonly collection: Collection;
  readonly member: string;
  readonly entity: Entity;
  /** Whether ids and secrets have a button that copies them. */
  readonly canCopy?: boolean;
}

export function MemberValue({ collection, member, entity, canCopy = false }: MemberValueProps) {
  const value = entity[member];
  if (value === undefined || value === null) return <span class="muted">{value === null ? 'never' : '–'}</span>;
  const text = String(value);
  const referred = getReferredCollection(collection, member, entity);
  if (referred)
    return (
      <a href={buildEntityHref(referred, text)} title={text}>
        {nameReference(referred, text)}
      </a>
    );
  if (member === 'createdAt' || member === 'updatedAt') return <TimeText at={text} />;
  if (member === 'state' || member === 'type') return <StateBadge state={text} />;
  if (member === 'secret' || member === 'id') return canCopy ? <CopyLine text={text} label={member} /> : <code>{text}</code>;
  if (Array.isArray(value))
    return (
      <ul>
        {value.map((each, index) => (
          <li key={index}>{typeof each === 'object' && each !== null ? <MemberPairs value={each} /> : String(each)}</li>
        ))}
      </ul>
    );
  const { levels } = entityForms[collection];
  return typeof value === 'object' ? (
    <MemberPairs value={value} owners={levels?.member === member ? levels.collection : undefined} />
  ) : (
    text
  );
}

const MemberPairs = ({ value, owners }: { value: object; owners?: Collection | undefined }) => (
  <span class="row facts">
    {Object.entries(value).map(([name, member]) => (
      <span key={name} title={name}>
        {owners ? nameReference(owners, name) : name} <b>{typeof member === 'object' ? JSON.stringify(member) : String(member)}</b>
      </span>
    ))}
  </span>
);
