import { rows } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'

/** How long a caller waits for the regions, so that it has an answer within half a minute. */
export const timeoutMs = 28_500
/** The owner of the tenant's shard may have changed in the moment of the question; it takes each question once. */
const repeatMs = 3_000

interface Question<Answer> {
  /** Channel and payload of the question. */
  ask: readonly [channel: string, payload: string]
  /** Channel of the answers. */
  answers: string
  /** Undefined for an answer to another question. `asked`: every region that will answer. */
  read(payload: string): { asked: readonly string[]; region: string | null; answer: Answer } | undefined
}

/**
 * Asks the regions by way of the process that owns the tenant's shard, and returns their answers by region: when all
 * have answered, or when the time is up.
 */
export function askRegions<Answer>(
  { listener, platform }: Pick<Services, 'listener' | 'platform'>,
  { ask, answers, read }: Question<Answer>,
  waitMs: number,
): Promise<Map<string, Answer>> {
  return new Promise((resolve, reject) => {
    const answered = new Map<string, Answer>()
    const end = () => {
      clearTimeout(timer)
      clearInterval(repetition)
      stopListening()
    }
    const stopListening = listener.on(answers, payload => {
      const notice = read(payload)
      if (!notice) return
      if (notice.region !== null) answered.set(notice.region, notice.answer)
      if (!notice.asked.every(region => answered.has(region))) return
      end()
      resolve(answered)
    })
    const timer = setTimeout(() => {
      end()
      resolve(answered)
    }, waitMs)
    const send = () =>
      rows(platform)`select pg_notify(${ask[0]}, ${ask[1]})`.catch(error => {
        end()
        reject(error)
      })
    const repetition = setInterval(send, repeatMs)
    void send()
  })
}

/** The JSON of a notice, or undefined. */
export function readJson(payload: string): unknown {
  try {
    return JSON.parse(payload)
  } catch {
    return undefined
  }
}
