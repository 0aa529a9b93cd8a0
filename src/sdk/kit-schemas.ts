import type { operations, paths } from '../contract/generated/service.ts';
import type { ProblemError } from '../control-client/errors.ts';

/** The members that a kit with default decisions may omit from its responses. */
export const SOMETIMES_ABSENT = ['firstName', 'lastName', 'errors'] as const;
type SometimesAbsent = (typeof SOMETIMES_ABSENT)[number];

type SentBody<Body> = Body extends readonly (infer Item)[]
  ? SentBody<Item>[]
  : Body extends object
    ? { [Name in Exclude<keyof Body, SometimesAbsent>]-?: SentBody<Exclude<Body[Name], undefined>> } & {
        [Name in Extract<keyof Body, SometimesAbsent>]?: Name extends 'errors' ? readonly ProblemError[] : Body[Name];
      }
    : Body;

type WithSentBodies<Operation> = Operation extends { responses: infer Responses }
  ? Omit<Operation, 'responses'> & {
      responses: {
        [Status in keyof Responses]: Responses[Status] extends { content: infer Content }
          ? Omit<Responses[Status], 'content'> & { content: { [Type in keyof Content]: SentBody<Content[Type]> } }
          : Responses[Status];
      };
    }
  : Operation;

/**
 * The API's paths for openapi-fetch, with responses as a kit sends them.
 * @example const api = createClient<KitPaths>({ baseUrl: kit.url })
 */
export type KitPaths = {
  [Path in keyof paths]: { [Method in keyof paths[Path]]: WithSentBodies<paths[Path][Method]> };
};

/** A successful response's body, such as `KitResponse<'getExperienceConnection'>`. */
export type KitResponse<Id extends keyof operations> = JsonBody<
  WithSentBodies<operations[Id]>['responses'][keyof WithSentBodies<operations[Id]>['responses'] & SuccessStatus]
>;
type SuccessStatus = 200 | 201 | 202 | '2XX';
type JsonBody<Response> = Response extends { content: { 'application/json': infer Body } } ? Body : never;

/** A problem document, as a kit sends it. */
export type KitProblem = SentBody<import('../contract/generated/service.ts').components['schemas']['Problem']>;
