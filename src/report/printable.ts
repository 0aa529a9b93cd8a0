import { randomUUID } from 'node:crypto';
import { styleText } from 'node:util';

/**
 * What foreign text can use to control a terminal or a CI runner, or to hide itself: control characters, invisible characters, which include
 * the bidirectional controls, and lone surrogates. A zero-width joiner is visible as part of an emoji.
 */
const UNPRINTABLE =
  /[^\P{Cc}\n\t]|(?!(?<=\p{Extended_Pictographic}\ufe0f?)\u200d)\p{Cf}|\p{Cs}|[\u2028\u2029\u115f\u1160\u3164\uffa0]|(?<=^\s*):(?=:)|(?<=#)#(?=\w*\[)/gmu;

/**
 * Escapes unprintable characters, and the beginnings of commands to CI runners: `::` in a line's first column (GitHub), `##[` and `##vso[`
 * (GitHub, Azure), `##teamcity[`. The escapes have the form `\u001b`, so JSON stays valid and has the same values.
 */
export function toPrintable(text: string): string {
  return text.replace(UNPRINTABLE, (found) =>
    Array.from({ length: found.length }, (_, index) => `\\u${found.charCodeAt(index).toString(16).padStart(4, '0')}`).join(''),
  );
}

/** Stands for the escape character of our own colours. It is random, so that foreign text cannot contain it. */
const OWN_ESCAPE = randomUUID();

/** Like `styleText`, for text that `protectOutput` prints. */
export const colourText: typeof styleText = (format, text, options) =>
  styleText(format, toPrintable(text), options).replaceAll('\u001b', OWN_ESCAPE);

export const toTerminalText = (text: string): string => toPrintable(text).replaceAll(OWN_ESCAPE, '\u001b');

const protectedStreams = new WeakSet<NodeJS.WriteStream>();

/** Makes everything that is written to the stream printable, except for our own colours. */
export function protectOutput(stream: NodeJS.WriteStream): void {
  if (protectedStreams.has(stream)) return;
  protectedStreams.add(stream);
  const write = stream.write.bind(stream) as (chunk: unknown, ...rest: unknown[]) => boolean;
  stream.write = (chunk: unknown, ...rest: unknown[]) => write(typeof chunk === 'string' ? toTerminalText(chunk) : chunk, ...rest);
}
