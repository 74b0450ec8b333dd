import { rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { isMainThread } from 'node:worker_threads'
import { LoopWatch } from './loop.ts'

/*
 * Loaded into processes by `--import`: each watches its event loop and answers, on the Unix socket of the path in
 * LOOP_SOCKET and its number, for how many milliseconds the loop was blocked at the longest since the question before.
 */

const socket = process.env.LOOP_SOCKET
if (socket && isMainThread) {
  const watch = new LoopWatch()
  const path = `${socket}-${process.pid}`
  // a process that starts itself again keeps its number
  rmSync(path, { force: true })
  createServer((_, response) => response.end(String(watch.take())))
    .listen(path)
    .unref()
}
