import type { Actor } from './model.ts';

const ACTORS: readonly (readonly [Actor, string])[] = [
  ['portal', 'Portal'],
  ['platform', 'Platform'],
];

export function ActorChoice({ value, onChange }: { value: Actor; onChange: (actor: Actor) => void }) {
  return (
    <fieldset class="segmented">
      <legend>Act as</legend>
      {ACTORS.map(([actor, label]) => (
        <label key={actor}>
          <input type="radio" name="actor" checked={value === actor} onChange={() => onChange(actor)} />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}
