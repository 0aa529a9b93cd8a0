import { signal } from '@preact/signals';
import { refreshKit } from '../../kit/state.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { toast } from '../../ui/toast.tsx';
import { worldChanged } from './model.ts';

interface Loaded {
  readonly world: string;
  readonly entities: Readonly<Record<string, number>>;
}

interface Question {
  readonly title: string;
  /** The label of the button that confirms. */
  readonly action: string;
  /** What is lost. */
  readonly text: string;
  /** Replaces the world. Undefined if it was refused, and the page shows why. */
  readonly replace: () => Promise<Loaded | undefined>;
}

const question = signal<Question | undefined>(undefined);

/** Asks whether the world is to be replaced, and replaces it. */
export const askToReplace = (asked: Question) => {
  question.value = asked;
};

/** Shows the question. */
export function ReplaceDialog() {
  const asked = question.value;
  if (asked === undefined) return null;
  const close = () => {
    question.value = undefined;
  };
  return (
    <Confirm title={asked.title} action={asked.action} onClose={close} onConfirm={() => asked.replace().then(replaced)}>
      {asked.text}
    </Confirm>
  );
}

/** Shows that the world was replaced, and loads again what the console shows. */
function replaced(loaded: Loaded | undefined): void {
  if (loaded === undefined) return;
  const { world, entities } = loaded;
  const count = Object.values(entities).reduce((sum, each) => sum + each, 0);
  toast(`The world is now ${world}, with ${count.toLocaleString('en')} entities.`);
  worldChanged();
  void refreshKit().catch(() => {});
}
