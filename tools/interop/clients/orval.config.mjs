export default {
  kit: {
    input: '../.out/orval/openapi.json',
    output: { target: '../.out/orval/api.ts', client: 'fetch', baseUrl: { getBaseUrlFromSpecification: true } },
  },
};
