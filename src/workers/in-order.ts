/** Runs tasks side by side and gives their results in the tasks' own order. */

/** At most `concurrency` are under way or waiting to be taken: that bounds what they hold in memory. */
export async function* inOrder<Task, Result>(
  tasks: Iterable<Task>,
  concurrency: number,
  run: (task: Task) => Promise<Result>,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = [];
  for (const task of tasks) {
    const result = run(task);
    // Its rejection is handled when its turn comes; until then a failure of an earlier one may end everything.
    result.catch(() => undefined);
    running.push(result);
    const first = running.length >= concurrency ? running.shift() : undefined;
    if (first) yield await first;
  }
  for (const result of running) yield await result;
}
