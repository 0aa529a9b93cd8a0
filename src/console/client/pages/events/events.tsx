import type { JSX } from 'preact';
import { call } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { NotFound, Page, type PageProps, Tabs } from '../../ui/page.tsx';
import { Badge } from '../../ui/values.tsx';
import { HeldDeliveries } from './held.tsx';
import { Inbox } from './inbox.tsx';
import { EventList } from './list.tsx';
import { SignatureCheck } from './signature.tsx';
import { Subscriptions } from './subscriptions.tsx';

export default function Events({ params: { view, id } = {} }: PageProps) {
  const subscriptions = useResource(() => call('listSubscriptions'), [], { on: ['event', 'delivery'] });
  const held = (subscriptions.data ?? []).reduce((sum, { deliveries }) => sum + deliveries.held, 0);
  const failing = (subscriptions.data ?? []).reduce((sum, { health }) => sum + health.failing, 0);
  const views: Readonly<Record<string, JSX.Element>> = {
    '': <EventList subscriptions={subscriptions} selected={undefined} />,
    event: <EventList subscriptions={subscriptions} selected={id} />,
    held: <HeldDeliveries subscriptions={subscriptions} selected={id} />,
    subscriptions: <Subscriptions subscriptions={subscriptions} />,
    inbox: <Inbox />,
    signature: <SignatureCheck subscriptions={subscriptions} />,
  };
  const shown = views[view ?? ''];
  if (shown === undefined) return <NotFound />;
  return (
    <Page title="Events" lead="Which events were published, where they were sent, and how each receiver responded.">
      <Tabs
        label="Sections of the page"
        current={view === undefined || view === 'event' ? '/events' : `/events/${view}`}
        tabs={[
          { path: '/events', label: 'Events' },
          { path: '/events/held', label: 'Held', note: held > 0 && <Badge tone="warn">{held}</Badge> },
          { path: '/events/subscriptions', label: 'Subscriptions', note: failing > 0 && <Badge tone="bad">{failing} failing</Badge> },
          { path: '/events/inbox', label: 'Inbox' },
          { path: '/events/signature', label: 'Signature' },
        ]}
      />
      {shown}
    </Page>
  );
}
