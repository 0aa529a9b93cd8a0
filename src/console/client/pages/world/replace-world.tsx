import { signal } from '@preact/signals';
import { refreshKit } from '../../kit/state.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { showToast } from '../../ui/toast.tsx';
import { reportWorldChange } from './model.ts';

interface LoadedWorld {
  readonly world: string;
  readonly entities: Readonly<Record<string, number>>;
}

interface ReplaceQuestion {
  readonly title: string;
  readonly action: string;
  /** A sentence that says what the user loses. */
  readonly text: string;
  /** Returns undefined if the kit refuses the new world. The page then shows the error. */
  readonly replace: () => Promise<LoadedWorld | undefined>;
}

const question = signal<ReplaceQuestion | undefined>(undefined);

export const askToReplace = (newQuestion: ReplaceQuestion) => {
  question.value = newQuestion;
};

export function ReplaceDialog() {
  const asked = question.value;
  if (asked === undefined) return null;
  const close = () => {
    question.value = undefined;
  };
  return (
    <ConfirmDialog title={asked.title} action={asked.action} onClose={close} onConfirm={() => asked.replace().then(reportReplacedWorld)}>
      {asked.text}
    </ConfirmDialog>
  );
}

function reportReplacedWorld(loaded: LoadedWorld | undefined): void {
  if (loaded === undefined) return;
  const { world, entities } = loaded;
  const count = Object.values(entities).reduce((sum, each) => sum + each, 0);
  showToast(`The world is now ${world}, with ${count.toLocaleString('en')} entities.`);
  reportWorldChange();
  void refreshKit().catch(() => {});
}
