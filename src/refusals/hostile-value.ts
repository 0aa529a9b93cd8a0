/** `accepts` matches what a server would accept that validates imprecisely. Absent: a server that validates at all refuses the value. */
export interface HostileValue<Value = string> {
  readonly value: Value;
  /** A verb phrase that describes the value, such as "is a word". */
  readonly flaw: string;
  readonly accepts?: RegExp;
}

export const list = <Value>(flaw: string, ...values: readonly Value[]): readonly HostileValue<Value>[] =>
  values.map((value) => ({ value, flaw }));

const SPACES = {
  space: ' ',
  tab: '\t',
  newline: '\n',
  'no-break space': '\u00a0',
  'zero-width space': '\u200b',
  'byte order mark': '\ufeff',
};
/** Puts each kind of white space before, after and inside a valid value. */
export const withSpaces = (valid: string): readonly HostileValue[] =>
  Object.entries(SPACES).flatMap(([name, space]) => [
    ...list(`begins with a ${name}`, space + valid),
    ...list(`ends with a ${name}`, valid + space),
    ...list(`contains a ${name}`, valid.slice(0, 1) + space + valid.slice(1)),
  ]);

/** The first digits of scripts that many regular expressions and parsers take for digits: `\d` of Python or .NET, `Character.isDigit` of Java. */
const ZEROS = {
  'Arabic-Indic': 0x660,
  Persian: 0x6f0,
  Devanagari: 0x966,
  Bengali: 0x9e6,
  Thai: 0xe50,
  fullwidth: 0xff10,
  mathematical: 0x1d7ce,
};
export const withOtherDigits = (valid: string): readonly HostileValue[] =>
  Object.entries(ZEROS).flatMap(([name, zero]) => {
    const replace = (digit: string) => String.fromCodePoint(zero + Number(digit));
    return list(`contains ${name} digits`, valid.replaceAll(/\d/g, replace), valid.replace(/\d(?=\D*$)/, replace));
  });

/** Base64url of a string, or of a value as JSON. */
export const encode = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
