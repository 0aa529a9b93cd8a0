/** Percent-encodes every character; a lone surrogate as the three bytes that careless encoders write for it. */
export function percent(text: string): string {
  let encoded = '';
  for (const character of text) {
    const code = character.charCodeAt(0);
    encoded += character.isWellFormed()
      ? encodeURIComponent(character)
      : `%ED%${byte(0x80 | ((code >> 6) & 0x3f))}%${byte(0x80 | (code & 0x3f))}`;
  }
  return encoded;
}

function byte(value: number): string {
  return value.toString(16).toUpperCase();
}
