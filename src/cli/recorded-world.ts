import { basename } from 'node:path';
import { writeTextFile } from '../report/write-reports.ts';
import { startRecording } from '../traffic/recording.ts';
import { formatYaml } from './yaml.ts';

/** @param keepsNames whether the file has the real ids, names and telephone numbers */
export function createWorldRecorder(file: string, keepsNames: boolean) {
  const recording = startRecording();
  return {
    add: recording.add,
    /** Writes the world file. */
    async write(): Promise<{ readonly counts: Readonly<Record<string, number>>; readonly text: string }> {
      const name = basename(file)
        .replace(/\.\w+$/, '')
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^[^a-z]+|-$/g, '')
        .slice(0, 40);
      const world = recording.buildWorld({ name: name || 'recorded', keepsNames });
      const { accounts, users, telephoneNumbers, connections, assignments, tokens } = world;
      const counts = Object.fromEntries(
        Object.entries({ accounts, users, telephoneNumbers, connections, assignments }).map(([kind, entities = {}]) => [
          kind,
          Object.keys(entities).length,
        ]),
      );
      const text = `# Recorded by xpk. ${keepsNames ? 'Contains real names, numbers and ids.' : 'Names, numbers and ids are not those of the service.'}\n\n${formatYaml(world)}\n`;
      await writeTextFile(file, text);
      const contents = Object.entries(counts).map(([kind, count]) => `${count} ${kind.replace('N', ' n')}`);
      const token = Object.keys(tokens ?? {})[0] ?? '--client …';
      return {
        counts,
        text: `Wrote ${file}: ${contents.join(', ')}. Start it as a mock with: xpk start --fixtures ${file}, and get a token with: xpk token ${token}`,
      };
    },
  };
}
