import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { type Request, type Response, urlencoded } from 'express';
import { errors } from 'oidc-provider';

/** The maximum size of a form, in bytes. A form with a client assertion has one or two kilobytes. */
const MAX_FORM_BYTES = 64 * 1024;

const parseForm = promisify(
  urlencoded({
    extended: false,
    limit: MAX_FORM_BYTES,
    inflate: false,
    // Without this check, the parser would accept ISO-8859-1, and would replace bytes that are not UTF-8.
    verify(_req, _res, bytes, charset) {
      if (charset !== 'utf-8' || !isUtf8(bytes)) throw Object.assign(new Error(), { type: 'charset.unsupported' });
    },
  }),
);

export type Form = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A repeated parameter's value is a list. @throws InvalidRequest if the body is not a form or cannot be read */
export async function readForm(req: Request, res: Response): Promise<Form> {
  if (req.is('application/x-www-form-urlencoded') === false) {
    throw new errors.InvalidRequest('The body must be sent with the content type application/x-www-form-urlencoded.');
  }
  try {
    await parseForm(req, res);
  } catch (error) {
    throw new errors.InvalidRequest(ERROR_DESCRIPTIONS[(error as { type?: string }).type ?? ''] ?? 'The body cannot be read as a form.');
  }
  return (req.body as Form | undefined) ?? {};
}

const ERROR_DESCRIPTIONS: Readonly<Record<string, string>> = {
  'entity.too.large': `The body is larger than ${MAX_FORM_BYTES} bytes.`,
  'charset.unsupported': 'The body must be encoded in UTF-8, the only supported charset.',
  'parameters.too.many': 'The body has more than 1000 parameters.',
  'encoding.unsupported': 'The body must not be compressed.',
};
