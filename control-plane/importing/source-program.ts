import type { Ask as AskCaller } from '#bounded/program.ts'
import { parseAnswer } from '#importers/http-client.ts'
import type { Ask, Reach } from '#importers/source.ts'
import {
  type ImportedItem,
  refuseTooMany,
  type Source,
  SourceError,
  type SourceInput,
  type SourceItem,
  type TheirStatus,
} from '#importers/source.ts'
import { sourceNamed } from './sources.ts'

/** What of an input can be sent to another process. */
export type PlainInput = Pick<SourceInput, 'file' | 'path' | 'credential' | 'pingKey' | 'baseUrl'>

export interface SourceOrder {
  source: string
  input: PlainInput
  /** Requests that may be made. */
  requests: number
  what: { do: 'read' } | { do: 'poll'; imported: readonly ImportedItem[] } | { do: 'pause'; ids: readonly string[] }
}

export type SourceQuestion = { text: string; ask: Ask } | { done: number; total: number | null }

/** An answer of the source, and how many requests may follow. */
export interface SourceReply {
  text: string
  left: number
}

const atOnce = 20

/**
 * Reads a source, or does what it offers besides: its items, or the statuses of its monitors, some at a time. A
 * program: files and answers are of any making. It asks its caller for every answer of the network.
 */
export async function* run(
  { source: name, input, requests, what }: SourceOrder,
  ask: AskCaller,
): AsyncGenerator<(SourceItem | [string, TheirStatus])[]> {
  const source = sourceNamed(name)
  if (!source) throw new SourceError('There is no such source.')
  const whole = { ...input, ...throughCaller(ask, requests) }
  const found = await done(source, whole, what)
  for (let at = 0; at < found.length; at += atOnce) yield found.slice(at, at + atOnce)
}

async function done(source: Source, input: SourceInput, what: SourceOrder['what']) {
  switch (what.do) {
    case 'read': {
      const items = await source.read(input)
      refuseTooMany(items.length)
      return items
    }
    case 'poll':
      return [...((await source.poll?.(input, what.imported)) ?? [])]
    case 'pause':
      await source.pause?.(input, what.ids)
      return []
  }
}

function throughCaller(ask: AskCaller, requests: number): Pick<SourceInput, 'reach' | 'progress'> {
  let left = requests
  const put = (question: SourceQuestion) =>
    ask(question).catch(error => {
      throw error.name === 'SourceError' ? new SourceError(error.message, error.status) : error
    })
  const text: Reach['text'] = async (url, given = {}) => {
    const reply = (await put({ text: String(url), ask: given })) as SourceReply
    left = reply.left
    return reply.text
  }
  return {
    reach: { text, left: () => left, json: async (url, given) => parseAnswer(url, await text(url, given)) },
    async progress(done, total) {
      // before the first is converted: to convert them all may take a minute
      if (done === 0 && total !== null) refuseTooMany(total)
      await put({ done, total })
    },
  }
}
