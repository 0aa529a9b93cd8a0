import { openStagingKit } from '../staging-kit.ts';
import { besides, type GoldenTarget } from '../target.ts';

const target: GoldenTarget = {
  is: 'the kit without a control API, known by a profile alone',
  stateless: false,
  open: () => openStagingKit(besides('kit', 'profile.yaml')),
};
export default target;
