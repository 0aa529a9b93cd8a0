import { useId, useState } from 'preact/hooks';
import { call, RefusedError } from '../../kit/control.ts';
import { info } from '../../kit/state.ts';
import { Action } from '../../ui/action.tsx';
import { Section } from '../../ui/page.tsx';
import { askToReplace } from './replace-world.tsx';

interface FileProblems {
  readonly file: string;
  readonly messages: readonly string[];
}

export function WorldFile() {
  const id = useId();
  const [problems, setProblems] = useState<FileProblems>();
  async function uploadWorld(file: File) {
    try {
      return await call('uploadWorld', { yaml: await file.text(), name: file.name.slice(0, 200) });
    } catch (error) {
      const reported = error instanceof RefusedError ? error.errors : [];
      const messages = reported.length > 0 ? reported.map(({ message }) => message) : [(error as Error).message];
      setProblems({ file: file.name, messages });
      return undefined;
    }
  }
  const askToUpload = (file: File) =>
    askToReplace({
      title: `Replace the world with ${file.name}?`,
      action: 'Replace',
      text: 'All entities, events and deliveries are replaced. Nothing changes if the file has an error.',
      replace: () => uploadWorld(file),
    });
  return (
    <Section
      title="World file"
      lead="The same YAML format as for xpk start --fixtures. An upload replaces the world and publishes no events."
    >
      <div class="row">
        <Action run={downloadWorld}>Download the world</Action>
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
            if (file) askToUpload(file);
            // Lets the user select the same file again after correcting it.
            input.value = '';
          }}
        />
        {problems && (
          <div id={`${id}-error`} class="field-error" role="alert">
            <p>{problems.file} was not loaded:</p>
            <ul class="bullets mono">
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

async function downloadWorld(): Promise<undefined> {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([String(await call('downloadWorld'))], { type: 'application/yaml' }));
  link.download = `${info.value?.world ?? 'world'}.yaml`;
  link.click();
  URL.revokeObjectURL(link.href);
}
