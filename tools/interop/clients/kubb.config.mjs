import { defineConfig } from '@kubb/core';
import { pluginClient } from '@kubb/plugin-client';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';

export default defineConfig({
  root: '.',
  input: { path: './openapi.json' },
  output: { path: './api', format: false },
  plugins: [
    pluginOas({ generators: [], serverIndex: 0 }),
    pluginTs(),
    pluginClient({ client: 'fetch', bundle: true, dataReturnType: 'full', paramsType: 'object' }),
  ],
});
