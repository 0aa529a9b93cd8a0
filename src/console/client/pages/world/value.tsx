import { Badge } from '../../ui/badge.tsx';
import { TimeText } from '../../ui/time.tsx';
import { buildEntityHref, type Collection, type Entity, getReferredCollection } from './model.ts';

const STATE_TONES = { ACTIVE: 'good', manage: 'good', read: 'info' } as const;

export function MemberValue({ collection, member, entity }: { collection: Collection; member: string; entity: Entity }) {
  const value = entity[member];
  if (value === undefined || value === null) return <span class="nothing">{value === null ? 'never' : '–'}</span>;
  const referred = getReferredCollection(collection, member, entity);
  if (referred) return <a href={buildEntityHref(referred, String(value))}>{String(value)}</a>;
  if (member === 'createdAt' || member === 'updatedAt') return <TimeText ms={Date.parse(String(value))} />;
  if (member === 'state' || member === 'type')
    return <Badge tone={STATE_TONES[String(value) as 'ACTIVE'] ?? 'plain'}>{String(value)}</Badge>;
  if (member === 'secret' || member === 'id') return <code>{String(value)}</code>;
  if (Array.isArray(value)) return <ValueList values={value} />;
  if (typeof value === 'object') return <MemberPairs value={value} />;
  return <>{String(value)}</>;
}

function ValueList({ values }: { values: readonly unknown[] }) {
  return (
    <ul class="values">
      {values.map((value, index) => (
        <li key={index}>{typeof value === 'object' && value !== null ? <MemberPairs value={value} /> : String(value)}</li>
      ))}
    </ul>
  );
}

const MemberPairs = ({ value }: { value: object }) => (
  <span class="pairs">
    {Object.entries(value).map(([name, member]) => (
      <span key={name}>
        {name} <b>{typeof member === 'object' ? JSON.stringify(member) : String(member)}</b>
      </span>
    ))}
  </span>
);
