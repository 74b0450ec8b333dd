import { getPriority, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import type { RenderableDocument } from './document.ts'
import { makePdf } from './make.ts'

/** How much lower than the event loop of the API. */
const lower = 10
const lowest = 19
try {
  // on Linux that of this thread alone: the event loop of the API goes first where processors are few
  setPriority(Math.min(lowest, getPriority() + lower))
} catch {
  // a sandbox may forbid it: then all threads are equal
}

export type RenderAnswer = { pdf: Uint8Array } | { error: string }

parentPort?.on('message', async (document: RenderableDocument) => {
  try {
    const pdf = new Uint8Array(await makePdf(document))
    parentPort?.postMessage({ pdf } satisfies RenderAnswer, [pdf.buffer])
  } catch (error) {
    parentPort?.postMessage({ error: String(error instanceof Error ? error.stack : error) } satisfies RenderAnswer)
  }
})
