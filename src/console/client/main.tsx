import { render } from 'preact';
import { watchKit } from './kit/state.ts';
import { followStream } from './kit/stream.ts';
import { Shell } from './shell.tsx';

watchKit();
void followStream();
render(<Shell />, document.getElementById('app') as HTMLElement);
