// A proxy that only forwards, with which `xpk proxy` is compared.
import { Agent } from 'node:http';
import httpProxy from 'http-proxy';

const [, , port, target] = process.argv;
httpProxy.createProxyServer({ target, agent: new Agent({ keepAlive: true }), changeOrigin: true }).listen(Number(port), '127.0.0.1');
