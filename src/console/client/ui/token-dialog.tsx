import { enterToken, tokenRequest } from '../kit/control.ts';
import { Dialog } from './dialog.tsx';

export function TokenDialog() {
  if (tokenRequest.value === 'none') return null;
  const isWrong = tokenRequest.value === 'wrong';
  return (
    <Dialog title="This kit needs its control token">
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          enterToken(String(new FormData(event.currentTarget).get('token')).trim());
        }}
      >
        <p>
          The kit was started with <code>--control-token</code> or <code>XPK_CONTROL_TOKEN</code>. The token is kept only in this page, so
          you must enter it again after a reload.
        </p>
        <label class="field">
          <span>Control token</span>
          <input
            name="token"
            type="password"
            required
            autocomplete="off"
            aria-invalid={isWrong}
            aria-describedby={isWrong ? 'token-error' : undefined}
          />
        </label>
        {isWrong && (
          <p id="token-error" class="field-error" role="alert">
            This is not the kit's control token. Try again.
          </p>
        )}
        <div class="actions">
          <button type="submit" class="primary">
            Open the console
          </button>
        </div>
      </form>
    </Dialog>
  );
}
