import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** Ends a process, after some seconds by force, and waits for its end; one that has ended or never began is fine. */
export async function endProcess(running: ChildProcess | undefined, patienceMs = 10_000): Promise<void> {
  if (running?.pid === undefined || running.exitCode !== null || running.signalCode !== null) return
  const ended = once(running, 'exit')
  running.kill('SIGTERM')
  const late = setTimeout(() => running.kill('SIGKILL'), patienceMs)
  await ended
  clearTimeout(late)
}
