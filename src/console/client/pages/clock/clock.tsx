import { Page } from '../../ui/page.tsx';
import { AddFault } from './add-fault.tsx';
import { AdvanceClock } from './advance.tsx';
import { FaultList } from './fault-list.tsx';

/** The page for kit time and faults. */
export default function ClockAndFaults() {
  return (
    <Page title="Clock & faults" lead="Move kit time instead of waiting, and make operations fail as the service may fail.">
      <AdvanceClock />
      <FaultList />
      <AddFault />
    </Page>
  );
}
