import { useId, useState } from 'preact/hooks';
import { control, getResponseData, RefusedError } from '../../kit/control.ts';
import { info } from '../../kit/state.ts';
import { Section } from '../../ui/page.tsx';
import { runAction } from '../../ui/toast.tsx';
import { askToReplace } from './replace-world.tsx';

const LOST_DATA = 'All entities, events and deliveries are replaced. Nothing changes if the file has an error.';

interface FileProblems {
  readonly file: string;
  readonly messages: readonly string[];
}

export function WorldFile() {
  const id = useId();
  const [problems, setProblems] = useState<FileProblems>();
  async function uploadWorld(file: File) {
    const body = { yaml: await file.text(), name: file.name.slice(0, 200) };
    try {
      return await getResponseData(control.PUT('/_control/world/file', { body }));
    } catch (error) {
      const reported = error instanceof RefusedError ? error.errors : [];
      const messages = reported.length > 0 ? reported.map(({ message }) => message) : [(error as Error).message];
      setProblems({ file: file.name, messages });
      return undefined;
    }
  }
  return (
    <Section
      title="World file"
      lead="The same YAML format as for xpk start --fixtures. An upload replaces the world and publishes no events."
    >
      <div class="actions">
        <button type="button" onClick={() => void runAction(downloadWorld)}>
          Download the world
        </button>
      </div>
      <div class="field">
        <label for={id}>Upload a world</label>
        <input
          id={id}
          type="file"
          accept=".yaml,.yml,.json"
          aria-invalid={problems !== undefined}
          aria-describedby={problems && `${id}-error`}
          onChange={({ currentTarget: input }) => {
            const [file] = input.files ?? [];
            setProblems(undefined);
            if (file)
              askToReplace({
                title: `Replace the world with ${file.name}?`,
                action: 'Replace',
                text: LOST_DATA,
                replace: () => uploadWorld(file),
              });
            // Lets the user select the same file again after correcting it.
            input.value = '';
          }}
        />
        {problems && (
          <div id={`${id}-error`} class="field-error" role="alert">
            <p>{problems.file} was not loaded:</p>
            <ul class="problems">
              {problems.messages.map((message) => (
                <li key={message}>{message}</li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </Section>
  );
}

async function downloadWorld(): Promise<void> {
  const yaml = await getResponseData(control.GET('/_control/world/file', { parseAs: 'blob' }));
  const link = document.createElement('a');
  link.href = URL.createObjectURL(yaml);
  link.download = `${info.value?.world ?? 'world'}.yaml`;
  link.click();
  URL.revokeObjectURL(link.href);
}
