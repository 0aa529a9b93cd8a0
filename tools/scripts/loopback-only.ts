// Preloaded into test processes. Makes a process fail if it resolves a host name or connects to another machine.
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { isIP, Socket } from 'node:net';

function refuse(target: string): never {
  // Set the exit code before throwing, because a test may catch the error.
  process.exitCode = 1;
  throw new Error(`A test tried to reach ${target}. Tests use loopback only: inject the resolver or the connector.`);
}

const isLocal = (host: string) => host === '' || host === 'localhost' || isIP(host) > 0;
const { lookup, promises } = dns;
const lookupAsync = promises.lookup;
dns.lookup = Object.assign(
  (host: string, ...rest: unknown[]) => (isLocal(host) ? Reflect.apply(lookup, dns, [host, ...rest]) : refuse(host)),
  lookup,
);
promises.lookup = ((host: string, ...rest: unknown[]) =>
  isLocal(host) ? Reflect.apply(lookupAsync, promises, [host, ...rest]) : refuse(host)) as typeof lookupAsync;
syncBuiltinESMExports();

const { connect } = Socket.prototype;
Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
  this.on('connectionAttempt', (address: string) => {
    if (!/^(127\.|::1$|0\.0\.0\.0$|::$)/.test(address)) refuse(address);
  });
  return Reflect.apply(connect, this, args);
} as typeof connect;
