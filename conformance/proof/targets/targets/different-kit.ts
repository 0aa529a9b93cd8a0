import { planServers } from '../../variants/plan.ts';
import { openStagingKit } from '../staging-kit.ts';
import { besides, type GoldenTarget } from '../target.ts';

const target: GoldenTarget = {
  is: 'a server that is correct but different: the kit with every decision turned, known by a profile alone',
  stateless: false,
  open: () => openStagingKit(besides('different-kit', 'profile.yaml'), planServers(() => true)[0]),
};
export default target;
