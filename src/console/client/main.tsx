import { render } from 'preact';
import { watchKit } from './kit/state.ts';
import { follow } from './kit/stream.ts';
import { Shell } from './shell.tsx';

watchKit();
void follow();
render(<Shell />, document.getElementById('app') as HTMLElement);
