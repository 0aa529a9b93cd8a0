/** One command of a document and the output that it shows for it. */
export interface Step {
  readonly command: string;
  readonly output: string;
}

const BLOCK = /```console\n([\s\S]*?)```/g;

/** The commands in the console blocks of a document, in order. A line that starts with `$ ` is a command, what follows is its output. */
export function parseTour(text: string): Step[] {
  return [...text.matchAll(BLOCK)].flatMap(([, block]) => stepsOf(block as string));
}

function stepsOf(block: string): Step[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = '', ...output] = part.split('\n');
      return { command, output: output.join('\n').trimEnd() };
    });
}

/** The document with the outputs in place of those it shows. */
export function withOutputs(text: string, outputs: readonly string[]): string {
  let next = 0;
  return text.replace(BLOCK, (_, block: string) => {
    const lines = stepsOf(block).flatMap(({ command }) => [
      `$ ${command}`,
      ...(outputs[next++] || '').split('\n').filter((line) => line !== ''),
    ]);
    return `\`\`\`console\n${lines.join('\n')}\n\`\`\``;
  });
}
