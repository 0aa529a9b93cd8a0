import { Page } from '../../ui/page.tsx';
import { AddFault } from './add-fault.tsx';
import { Advance } from './advance.tsx';
import { FaultList } from './fault-list.tsx';

/** Kit time, and the failures on purpose. */
export default function ClockAndFaults() {
  return (
    <Page title="Clock & faults" lead="Move kit time instead of waiting, and make operations fail as the service may fail.">
      <Advance />
      <FaultList />
      <AddFault />
    </Page>
  );
}
