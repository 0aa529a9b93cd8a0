/** Checks that do not pass yet, and a part of the message with which they must fail. An entry whose check passes fails the run. */
export const knownFailures: Readonly<Record<string, string>> = {
  // The flat form repeats the operationIds of the prefixed form.
  'hey-api': '0 !== 201',
  orval: "Duplicate identifier 'GetExperienceAssignabilityParams'",
  'spectral-service': 'Every operation must have unique "operationId"',
  // The paths are references to components.pathItems.
  kubb: "has no exported member named 'createExperienceAssignment'",
  'openapi-zod-client': "does not exist on type 'ZodiosInstance<[]>'",
  // The document has schemas that only the validators of the kit use.
  'redocly-service': 'Component: "AssignabilityQuery" is never used',
  'redocly-control': 'Component: "EntityRequest" is never used',
  // The servers of the document are those of a kit on port 4010. There, a schema of the document refuses a correct response.
  'redocly-respect': 'ECONNREFUSED',
  // There are no examples, so the requests contain random values.
  portman: '400 Bad Request',
  // The body of an entity is an object without members.
  'control-openapi-typescript': `'"/_control/state/users"' is not assignable`,
  'control-hey-api': "no exported member named 'createUserEntity'",
  'spectral-control': 'Operation must have non-empty "tags" array',
  'spectral-authorization': 'GET /auth/openapi.json answered 404',
  'redocly-authorization': 'GET /auth/openapi.json answered 404',
  'spectral-asyncapi': 'AsyncAPI document must have non-empty "tags" array',
  'asyncapi-parser': 'It is recommended update to the "3.1.0" version',
};
