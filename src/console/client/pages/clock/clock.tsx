import { Page } from '../../ui/page.tsx';
import { AdvanceClock } from './advance.tsx';
import { Faults } from './faults.tsx';

export default function ClockAndFaults() {
  return (
    <Page title="Clock & faults" lead="Advance kit time instead of waiting, and make operations fail as the real service might.">
      <AdvanceClock />
      <Faults />
    </Page>
  );
}
