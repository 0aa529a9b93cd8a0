import { refreshKit } from '../../kit/state.ts';
import { attempt } from '../../ui/toast.tsx';
import { worldChanged } from './model.ts';

interface Loaded {
  readonly world: string;
  readonly entities: Readonly<Record<string, number>>;
}

/** Replaces the world, shows the result, and loads again what the console shows. */
export async function replaceWorld(replace: () => Promise<Loaded>): Promise<void> {
  await attempt(replace, ({ world, entities }) => {
    const count = Object.values(entities).reduce((sum, each) => sum + each, 0);
    return `The world is now ${world}, with ${count.toLocaleString('en')} entities.`;
  });
  worldChanged();
  await refreshKit().catch(() => {});
}
