import { enterToken, tokenRequest } from '../kit/control.ts';
import { Dialog } from './dialog.tsx';
import { Form } from './form.tsx';

export function TokenDialog() {
  if (tokenRequest.value === 'none') return null;
  return (
    <Dialog title="This kit needs its control token">
      <p>
        The kit was started with <code>--control-token</code> or <code>XPK_CONTROL_TOKEN</code>. The token is kept only in this page, so you
        must enter it again after a reload.
      </p>
      <Form
        fields={{ token: { type: 'string' } }}
        required={['token']}
        describe={() => ({ label: 'Control token', type: 'password' })}
        action="Open the console"
        onSubmit={async ({ token }) => enterToken(String(token).trim())}
      >
        {tokenRequest.value === 'wrong' && (
          <p class="field-error" role="alert">
            This is not the kit's control token. Try again.
          </p>
        )}
      </Form>
    </Dialog>
  );
}
