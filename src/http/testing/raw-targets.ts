import { MALFORMED, type RawCase, type RawTarget, ROUTED, rawMessages } from './raw-case.ts';

/** Unusual targets, methods and upgrades. */
export function targetCases(target: RawTarget): readonly RawCase[] {
  const { read } = target;
  const { get, post, line, good } = rawMessages(target);
  return [
    // targets
    { name: 'the path %00', bytes: get('', '/%00'), answers: [[400, 401, 404]] },
    { name: 'the path %ZZ', bytes: get('', '/%ZZ'), answers: [[400, 401, 404]] },
    { name: 'an id of %ZZ', bytes: get('', '/users/%ZZ'), answers: [[400, 401, 404]] },
    { name: 'an id of %FF', bytes: get('', '/users/%FF'), answers: [[400, 401, 404]] },
    { name: 'a query of %ZZ', bytes: get('', `${read}?a=%ZZ&a[]=1&__proto__[x]=1`), answers: [ROUTED] },
    { name: 'the path //', bytes: get('', '//'), answers: [[400, 401, 404]] },
    { name: 'a path that looks like another host', bytes: get('', '//evil.example/a'), answers: [[400, 401, 404]] },
    { name: 'a path of backslashes', bytes: get('', '/\\evil.example\\a'), answers: [[400, 401, 404]] },
    { name: 'the path /../', bytes: get('', '/../../etc/passwd'), answers: [[400, 401, 404]] },
    { name: 'an escaped /../', bytes: get('', '/%2e%2e/%2e%2e%2fetc'), answers: [[400, 401, 404]] },
    { name: 'a path of all that needs escaping', bytes: get('', '/"<>[]^`{|}'), answers: [[400, 401, 404]] },
    { name: 'the absolute form of our own address', bytes: get('', `http://localhost${read}`), answers: [ROUTED] },
    { name: 'the absolute form without path', bytes: get('', `http://localhost?a=1`), answers: [ROUTED] },
    { name: "the absolute form of a stranger's address", bytes: get('', `http://evil.example${read}`), answers: [[403]] },
    { name: 'the absolute form with user information', bytes: get('', `http://localhost@evil.example/`), answers: MALFORMED },
    { name: 'the absolute form of another scheme', bytes: get('', `ftp://localhost/`), answers: MALFORMED },
    { name: 'the absolute form without host', bytes: get('', 'http:///a'), answers: MALFORMED },

    // methods
    { name: 'OPTIONS of the asterisk', bytes: line('OPTIONS * HTTP/1.1'), answers: [ROUTED] },
    { name: 'TRACE', bytes: line(`TRACE ${read} HTTP/1.1`), answers: [[401, 404, 405]] },
    { name: 'QUERY', bytes: line(`QUERY ${read} HTTP/1.1`), answers: [[401, 404, 405]] },
    { name: 'HEAD of an unknown path', bytes: line('HEAD /no-such-path HTTP/1.1'), answers: [[401, 404]], head: true },
    { name: 'HEAD without Host', bytes: `HEAD ${read} HTTP/1.1\r\n\r\n`, answers: MALFORMED, head: true },
    { name: 'CONNECT', bytes: `CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n`, answers: [[400, 405]] },
    {
      name: 'CONNECT after a good request',
      bytes: `${good}CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n`,
      answers: [ROUTED, [400, 405]],
    },
    { name: 'CONNECT of a path', bytes: line(`CONNECT ${read} HTTP/1.1`), answers: [[400, 405]] },

    // upgrades
    {
      name: 'an upgrade to WebSocket',
      bytes: get(
        'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n',
      ),
      answers: [[400, 401, 403, 404, 405]],
    },
    {
      name: 'an upgrade to h2c, which is ignored',
      bytes: get('Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n'),
      answers: [ROUTED],
    },
    {
      name: 'an upgrade to h2c with a body',
      bytes: post('Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 2\r\n', '{}'),
      answers: [ROUTED],
    },
  ];
}
