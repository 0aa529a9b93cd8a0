import { onBothEngines } from './testing/lab.ts';
import { othersAtOnce } from './testing/suites/concurrency.ts';
import { othersBefore } from './testing/suites/platform.ts';

onBothEngines('what others did, seen through the API', othersBefore);
onBothEngines('what others do at the same time', othersAtOnce);
