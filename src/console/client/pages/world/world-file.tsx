import { useId, useState } from 'preact/hooks';
import { call, RefusedError } from '../../kit/control.ts';
import { info } from '../../kit/state.ts';
import { Action } from '../../ui/button.tsx';
import { Confirmation, Dialog } from '../../ui/dialog.tsx';
import { Section } from '../../ui/page.tsx';
import { finishOperation } from '../../ui/toast.ts';
import { describeWorld } from './replace-world.tsx';

export function WorldFile() {
  const id = useId();
  const [problems, setProblems] = useState<{ readonly file: string; readonly messages: readonly string[] }>();
  const [chosen, choose] = useState<File>();
  async function uploadWorld(file: File): Promise<void> {
    try {
      const loaded = await call('uploadWorld', { yaml: await file.text(), name: file.name.slice(0, 200) });
      await finishOperation(loaded, describeWorld);
    } catch (error) {
      const reported = error instanceof RefusedError ? error.errors : [];
      const messages = reported.length > 0 ? reported.map(({ message }) => message) : [(error as Error).message];
      setProblems({ file: file.name, messages });
    }
  }
  return (
    <Section
      title="World file"
      lead="The same YAML format as for xpk start --fixtures. An upload replaces the world and publishes no events."
    >
      <div class="row">
        <Action run={downloadWorld} text="Download the world" />
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
            setProblems(undefined);
            choose(input.files?.[0]);
            // Lets the user select the same file again after correcting it.
            input.value = '';
          }}
        />
        {chosen && (
          <Dialog title={`Replace the world with ${chosen.name}?`} onClose={() => choose(undefined)}>
            <Confirmation
              action="Replace"
              warning="All entities, events and deliveries are replaced. Nothing changes if the file has an error."
              run={() => uploadWorld(chosen)}
              onClose={() => choose(undefined)}
            />
          </Dialog>
        )}
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
