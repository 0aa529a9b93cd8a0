export function createTasks() {
  let size = 0;
  let waiting: (() => void)[] = [];
  return {
    get size() {
      return size;
    },
    begin(): void {
      size += 1;
    },
    end(): void {
      size -= 1;
      if (waiting.length === 0) return;
      const resumed = waiting;
      waiting = [];
      for (const resume of resumed) resume();
    },
    waitForNextEnd: () => new Promise<void>((resolve) => void waiting.push(resolve)),
  };
}
