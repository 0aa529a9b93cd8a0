import type { ComponentProps } from 'preact';
import { refreshKit } from '../../kit/state.ts';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { showToast } from '../../ui/toast.tsx';
import { reportWorldChange } from './model.ts';

interface LoadedWorld {
  readonly world: string;
  readonly entities: Readonly<Record<string, number>>;
}

type ReplaceButtonProps = Omit<ComponentProps<typeof ConfirmButton>, 'run'> & { readonly replace: () => Promise<LoadedWorld> };

/** A button that replaces the world, if the user confirms it. */
export const ReplaceButton = ({ replace, ...props }: ReplaceButtonProps) => (
  <ConfirmButton {...props} run={async () => reportReplacedWorld(await replace())} />
);

export function reportReplacedWorld({ world, entities }: LoadedWorld): void {
  const count = Object.values(entities).reduce((sum, each) => sum + each, 0);
  showToast(`The world is now ${world}, with ${count.toLocaleString('en')} entities.`);
  reportWorldChange();
  void refreshKit().catch(() => {});
}
