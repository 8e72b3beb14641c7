/** Runs tasks concurrently, and yields their results in order. */

/** At most `concurrency` tasks run or have results that were not yielded yet, which bounds memory. */
export async function* inOrder<Task, Result>(
  tasks: Iterable<Task>,
  concurrency: number,
  run: (task: Task) => Promise<Result>,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = [];
  for (const task of tasks) {
    const result = run(task);
    // Marks a rejection as handled: `await` throws it below, unless an earlier task has failed.
    result.catch(() => undefined);
    running.push(result);
    const first = running.length >= concurrency ? running.shift() : undefined;
    if (first) yield await first;
  }
  for (const result of running) yield await result;
}
