import { useId, useState } from 'preact/hooks';
import { call, RefusedError, type Schemas } from '../../kit/control.ts';
import { info } from '../../kit/state.ts';
import { Action } from '../../ui/button.tsx';
import { Confirmation, Dialog } from '../../ui/dialog.tsx';
import { Section } from '../../ui/page.tsx';
import { describeWorld } from './replace-world.tsx';

export function WorldFile() {
  const id = useId();
  const [chosen, choose] = useState<File>();
  return (
    <Section
      title="World file"
      lead="The same YAML format as for xpk start --fixtures. An upload replaces the world and publishes no events."
      actions={<Action run={downloadWorld} text="Download the world" />}
    >
      <div class="field">
        <label for={id}>Upload a world</label>
        <input
          id={id}
          type="file"
          accept=".yaml,.yml,.json"
          onChange={({ currentTarget: input }) => {
            choose(input.files?.[0]);
            // Lets the user select the same file again after correcting it.
            input.value = '';
          }}
        />
      </div>
      {chosen && (
        <Dialog title={`Replace the world with ${chosen.name}?`} onClose={() => choose(undefined)}>
          <Confirmation
            action="Replace"
            warning="All entities, events and deliveries are replaced. You can undo this. Nothing changes if the file has an error."
            run={() => uploadWorld(chosen)}
            done={describeWorld}
            onClose={() => choose(undefined)}
          />
        </Dialog>
      )}
    </Section>
  );
}

async function uploadWorld(file: File): Promise<Schemas['Loaded']> {
  const yaml = await file.text();
  return call('uploadWorld', { yaml, name: file.name.slice(0, 200) }).catch((error: unknown) => {
    throw error instanceof RefusedError ? new Error(error.errors.map(({ message }) => message).join('\n') || error.message) : error;
  });
}

async function downloadWorld(): Promise<undefined> {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([String(await call('downloadWorld'))], { type: 'application/yaml' }));
  link.download = `${info.value?.world ?? 'world'}.yaml`;
  link.click();
  URL.revokeObjectURL(link.href);
}
