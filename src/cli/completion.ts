import { Argument, Command } from 'commander';
import { SCRIPTS } from './completion/scripts.ts';

export function createCompletionCommand(createProgram: (words: readonly string[]) => Promise<Command>): Command {
  return new Command('completion')
    .description(
      'Prints a script that completes commands, options and their values in a shell. With the words of a command line, prints the candidates for its last word.',
    )
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SCRIPTS)))
    .argument('[words...]', 'the command line to complete, without xpk, after --. The script passes these words')
    .addHelpText('after', EXAMPLES)
    .action(async (shell: keyof typeof SCRIPTS, words: string[]) => {
      if (words.length === 0) return console.log(SCRIPTS[shell].trim());
      const { findCandidates } = await import('./completion/candidates.ts');
      for (const { value, description } of await findCandidates(words, await createProgram(words))) console.log(`${value}\t${description}`);
    });
}

const EXAMPLES = `
The shell finds xpk by its name, so install the package globally, or add node_modules/.bin to PATH.

Examples:
  source <(xpk completion bash)                                           in ~/.bashrc
  source <(xpk completion zsh)                                            in ~/.zshrc, after compinit
  xpk completion fish > ~/.config/fish/completions/xpk.fish
  xpk completion bash -- scenario run --operation getU                    prints getUsers and getUser`;
