// What RFC 3986 does not allow in a path, and a percent sign that starts no escape.
const NOT_ALLOWED = /%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~!$&'()*+,;=:@/%]/g;
const ABSOLUTE_FORM = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*/;

// Node hands the target over as latin1: one character is one byte.
function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

function encode(path: string): string {
  return path.replace(NOT_ALLOWED, (character) =>
    character.charCodeAt(0) < 256 ? percent(character) : encodeURIComponent(character.toWellFormed()),
  );
}

/** The problem member `instance`: the path of a request target without query, always a valid URI reference to this very server. */
export function instanceOf(target: string): string {
  const relative = target.replace(ABSOLUTE_FORM, '');
  const end = relative.search(/[?#]/);
  const path = encode(end === -1 ? relative : relative.slice(0, end));
  // `//host/x` would be read as another host; `/.//host/x` is the same path on this one.
  if (path.startsWith('//')) return `/.${path}`;
  return path === '' ? '/' : path;
}
