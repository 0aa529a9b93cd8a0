import type { operations, paths } from '../contract/generated/service.ts';

/**
 * The members that are absent from some responses of a kit. A kit with default decisions always sends all other members of a response, even
 * those that the specification does not require.
 */
export const SOMETIMES_ABSENT = ['firstName', 'lastName', 'errors'] as const;
type Sometimes = (typeof SOMETIMES_ABSENT)[number];

/** The body of a response, as a kit sends it. */
type Sent<Body> = Body extends readonly (infer Item)[]
  ? Sent<Item>[]
  : Body extends object
    ? { [Name in Exclude<keyof Body, Sometimes>]-?: Sent<Exclude<Body[Name], undefined>> } & {
        [Name in Extract<keyof Body, Sometimes>]?: Body[Name];
      }
    : Body;

type WithSentBodies<Operation> = Operation extends { responses: infer Responses }
  ? Omit<Operation, 'responses'> & {
      responses: {
        [Status in keyof Responses]: Responses[Status] extends { content: infer Content }
          ? Omit<Responses[Status], 'content'> & { content: { [Type in keyof Content]: Sent<Content[Type]> } }
          : Responses[Status];
      };
    }
  : Operation;

/**
 * The paths of the API for openapi-fetch, with responses as a kit sends them.
 * @example const api = createClient<KitPaths>({ baseUrl: kit.url })
 */
export type KitPaths = {
  [Path in keyof paths]: { [Method in keyof paths[Path]]: WithSentBodies<paths[Path][Method]> };
};

/** The body of a successful response to an operation, as a kit sends it, such as `KitResponse<'getExperienceConnection'>`. */
export type KitResponse<Id extends keyof operations> = JsonOf<
  WithSentBodies<operations[Id]>['responses'][keyof WithSentBodies<operations[Id]>['responses'] & Success]
>;
type Success = 200 | 201 | 202 | '2XX';
type JsonOf<Response> = Response extends { content: { 'application/json': infer Body } } ? Body : never;

/** A problem document, as a kit sends it. */
export type KitProblem = Sent<import('../contract/generated/service.ts').components['schemas']['Problem']>;
