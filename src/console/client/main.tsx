import { render } from 'preact';
import { watchKit } from './kit/state.ts';
import { followStream } from './kit/stream.ts';
import { Shell } from './shell.tsx';
import { keepFocus } from './ui/focus.ts';

watchKit();
void followStream();
keepFocus();
render(<Shell />, document.getElementById('app') as HTMLElement);
