// Import the proxy from `dist`, because users install the compiled kit.
const { createKit } = (await import(new URL('../../../dist/src/kit.js', import.meta.url).href)) as typeof import('../../../src/kit.ts');

const [, , port, target] = process.argv;
await createKit({ port: Number(port), upstream: { api: target! } });
