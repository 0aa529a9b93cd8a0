module.exports = {
  schemaFile: '../.out/rtk-query/openapi.json',
  outputFile: '../.out/rtk-query/api.ts',
  apiFile: './rtk-query-base.ts',
  apiImport: 'baseApi',
  exportName: 'api',
};
