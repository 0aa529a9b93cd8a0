/** Generates the pages for coding agents from the documentation and the help texts: llms.txt, and docs/agents/SKILL.md. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';

/** The commands of each section of the skill, in the order of their use. */
const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  'Start a kit': ['start', 'exec', 'world create', 'token', 'reset'],
  'Explain a response': ['logs', 'explain', 'scenario run', 'fault add'],
  'Cause and await events': ['subscribe', 'trigger', 'wait', 'deliveries', 'mode', 'clock advance'],
  'Judge an integration or a server': ['check client', 'check webhook', 'conformance', 'proxy'],
};

/** @param allCommands the commands of xpk, with the subcommands */
export function writeAgentPages(root: string, allCommands: readonly Command[]): ReadonlyMap<string, string> {
  const commands = new Map(allCommands.map((command) => [getPath(command), command]));
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const [title = '', intro = ''] = readIntroduction(read('README.md'));
  const pages = globSync('docs/*.md', { cwd: root })
    .sort()
    .map((path) => [path, read(path)] as const);
  const links = pages.map(([path, page]) => {
    const [name, text] = readIntroduction(page);
    // What a program writes into a page, such as a number of rules, would change this file, too.
    return `- [${name}](${path})${page.startsWith('<!--') ? '' : `: ${getFirstSentence(text)}`}\n`;
  });
  const [explain = ''] = /```console\n\$ TOKEN=[\s\S]*?```/.exec(read('README.md')) ?? [];
  const sections = Object.entries(SECTIONS).map(([heading, names]) => {
    const lines = names.map((name) => describeCommand(commands.get(name)!));
    return `## ${heading}\n\n${lines.join('')}${heading.startsWith('Explain') ? `\n${explain}\n` : ''}`;
  });
  return new Map([
    [
      'llms.txt',
      `# ${title}\n\n> ${intro}\n\n${HINT}\n\n## Documentation\n\n- [README](README.md): the four uses, with their commands\n- [Skill](docs/agents/SKILL.md): the commands in short\n${links.join('')}`,
    ],
    [
      'docs/agents/SKILL.md',
      `---\nname: experience-provider-kit\ndescription: ${getFirstSentence(intro)} Use it to call the service's API, to receive its webhooks, to log in, and to test such code or such a server.\n---\n\n# ${title}\n\n${intro}\n\n${HINT}\n\n${sections.join('\n')}\n## More\n\n${MORE}`,
    ],
  ]);
}

const HINT =
  'Run the commands with `npx xpk`. `npx xpk COMMAND --help` lists the options, `--json` prints JSON. A running kit describes itself: `/openapi.json`, `/asyncapi.json`, `/_control/openapi.json`.';
const MORE =
  '- A first test to copy: [Node.js](../testing.md#a-first-test-log-in-call-wait-for-the-event), [Python, Java, Go, PHP](../languages.md)\n- [All rules](../rules.md), and [each refusal with a command that provokes it](../errors.md)\n';

/** @returns the title, and the first paragraph without pictures and links */
function readIntroduction(page: string): [title: string, paragraph: string] {
  const [, title = '', paragraph = ''] = /^# (.+)\n\n([^\n]+(?:\n[^\n]+)*)/m.exec(page) ?? [];
  return [title, paragraph.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll('\n', ' ')];
}

const getFirstSentence = (text: string): string => /^.*?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, '.') ?? text;

const getPath = (command: Command): string => (command.parent?.parent ? `${getPath(command.parent)} ${command.name()}` : command.name());

/** @returns a list item with the first sentence of the description, and the first examples of the help text */
function describeCommand(command: Command): string {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text) });
  command.outputHelp();
  const [, examples = ''] = /^Examples?:\n((?: {2}.*\n?)*)/m.exec(help) ?? [];
  const shown = examples
    .trimEnd()
    .split('\n')
    .slice(0, 2)
    .map((line) => `\`${line.trim().replace(/ {3,}.*/, '')}\``);
  return `- ${getFirstSentence(command.description())} ${shown.join(', ')}\n`;
}
