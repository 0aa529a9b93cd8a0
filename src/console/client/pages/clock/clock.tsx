import { Page } from '../../ui/page.tsx';
import { AddFault } from './add-fault.tsx';
import { AdvanceClock } from './advance.tsx';
import { FaultList } from './fault-list.tsx';

export default function ClockAndFaults() {
  return (
    <Page title="Clock & faults" lead="Advance kit time instead of waiting, and make operations fail as the real service might.">
      <AdvanceClock />
      <FaultList />
      <AddFault />
    </Page>
  );
}
