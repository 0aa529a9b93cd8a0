/** Adds the recorded examples to the published documents. */
import { type Json, resolve } from './documents.ts';
import { removeUnusedComponents } from './published.ts';

/**
 * Examples with the same name belong to the same request.
 * @param recorded the contents of openapi/examples.json
 */
export function addExamples(document: Json, recorded: Json): Json {
  const paths = Object.entries<Json>(document.paths).map(([path, item]) => {
    const operations = Object.entries<Json>(item).map(([method, operation]) => {
      const examples: Json[] = recorded[operation.operationId] ?? recorded[operation['x-operation']] ?? [];
      return [method, addOperationExamples(document, operation, examples)];
    });
    return [path, Object.fromEntries(operations)];
  });
  return removeUnusedComponents({ ...document, paths: Object.fromEntries(paths) });
}

export function addEvents(document: Json, recorded: Json): Json {
  const { messages } = document.components;
  const described = Object.entries<Json>(messages).map(([key, message]) => {
    const event = recorded.events?.[message.name];
    return [key, { ...message, ...(event && { examples: [{ name: 'demo', summary: message.summary, ...event }] }) }];
  });
  return { ...document, components: { ...document.components, messages: Object.fromEntries(described) } };
}

function addOperationExamples(document: Json, operation: Json, examples: Json[]): Json {
  const { parameters, requestBody, responses } = operation;
  const collectExamples = (read: (example: Json) => unknown) => {
    const found = examples.flatMap((example) => {
      const value = read(example);
      return value === undefined ? [] : [[example.name, { summary: example.summary, value }]];
    });
    return found.length > 0 && { examples: Object.fromEntries(found) };
  };
  const addContentExamples = ({ content, ...others }: Json, read: (example: Json) => unknown) => ({
    ...others,
    ...(content && {
      content: Object.fromEntries(Object.entries<Json>(content).map(([type, media]) => [type, { ...media, ...collectExamples(read) }])),
    }),
  });
  const described = Object.entries<Json>(responses).map(([status, response]) => {
    const read = (example: Json) => (String(example.status) === status ? example.answer : undefined);
    return [status, collectExamples(read) ? addContentExamples(resolve(document, response), read) : response];
  });
  return {
    ...operation,
    ...(parameters && {
      parameters: parameters
        .map((parameter: Json) => resolve(document, parameter))
        .map((parameter: Json) => ({ ...parameter, ...collectExamples((example) => example.parameters?.[parameter.name]) })),
    }),
    ...(requestBody && { requestBody: addContentExamples(requestBody, (example) => example.body) }),
    responses: Object.fromEntries(described),
  };
}
