import { control, getResponseData } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { Loaded, Page } from '../../ui/page.tsx';
import { Addresses } from './addresses.tsx';
import { Clients } from './clients.tsx';
import { Decisions } from './decisions.tsx';
import { FirstCallExample } from './first-call.tsx';
import { Health } from './health.tsx';

export default function Overview() {
  const info = useResource(() => getResponseData(control.GET('/_control/info')));
  return (
    <Page
      title="Overview"
      lead="What is running here, and what you need for a first call. This is a mock for development, not the real service."
    >
      <Health />
      <div class="cards">
        <Loaded from={info} lines={8}>
          {(data) => <Addresses info={data} />}
        </Loaded>
        <Loaded from={info} lines={8}>
          {(data) => <FirstCallExample info={data} />}
        </Loaded>
      </div>
      <Clients />
      <Decisions />
    </Page>
  );
}
