const HOST = /^([a-z0-9-]+)\.localhost\.?(?::\d*)?$/i;

/** Returns the path of the world that a host such as `NAME.localhost:4010` names. */
export function getPathOfHost(host = ''): string | undefined {
  const name = HOST.exec(host)?.[1]?.toLowerCase();
  return name === undefined ? undefined : `/w/${name}`;
}

/** Returns the prefix of the paths that a client of a world uses: none if the host names the world. */
export const getVisiblePrefix = (host: string | undefined, prefix: string): string => (getPathOfHost(host) === prefix ? '' : prefix);

/**
 * Returns a world's base URL with the world in the path, because many systems do not resolve names such as `NAME.localhost`.
 * @param url without a trailing slash
 */
export function toPathUrl(url: string): string {
  const path = URL.canParse(url) ? getPathOfHost(new URL(url).host) : undefined;
  return path === undefined ? url : url.replace(/\/\/[^.]+\.(localhost)\.?/i, '//$1') + path;
}

/** Returns the URL of the kit that carries a world. Returns any other URL unchanged, but without a trailing slash. */
export const getKitOfWorld = (url: string): string => toPathUrl(url.replace(/\/+$/, '')).replace(/\/w\/[^/]+$/, '');
