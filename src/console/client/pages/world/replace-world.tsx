import type { ComponentProps } from 'preact';
import { refreshKit } from '../../kit/state.ts';
import { ConfirmButton } from '../../ui/dialog.tsx';
import type { Outcome } from '../../ui/toast.ts';
import { reportWorldChange } from './model.ts';

interface LoadedWorld {
  readonly world: string;
  readonly entities: Readonly<Record<string, number>>;
}

type ReplaceButtonProps = Omit<ComponentProps<typeof ConfirmButton<LoadedWorld>>, 'reload' | 'done'>;

/** A button that replaces the world, if the user confirms it. */
export const ReplaceButton = (props: ReplaceButtonProps) => <ConfirmButton {...props} {...replaceOutcome} />;

export const reloadWorld = () => Promise.all([reportWorldChange(), refreshKit()]);

/** What follows after the world was replaced. */
export const replaceOutcome: Outcome<LoadedWorld> = {
  reload: reloadWorld,
  done({ world, entities }) {
    const count = Object.values(entities).reduce((sum, each) => sum + each, 0);
    return `The world is now ${world}, with ${count.toLocaleString('en')} entities.`;
  },
};
