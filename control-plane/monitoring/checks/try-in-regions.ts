import {
  closeTry,
  type RegionAnswer,
  TryAnswer,
  type TryDefinition,
  tryAnswerNotice,
  tryNotice,
  tryPatienceMs,
} from '#control-plane/engine/assignments/try-notices.ts'
import type { Services } from '#control-plane/http/services.ts'

/** Runs a check once, and returns what each region answered: when all have answered, or when the time is up. */
export function tryInRegions(
  { listener, platform, config }: Pick<Services, 'listener' | 'platform' | 'config'>,
  { id, definition }: { id: string; definition: TryDefinition },
  patience = tryPatienceMs,
): Promise<RegionAnswer[]> {
  return new Promise((resolve, reject) => {
    const answers = new Map<string, RegionAnswer>()
    const end = () => {
      clearTimeout(timer)
      stopListening()
    }
    const stopListening = listener.on(tryAnswerNotice, payload => {
      const notice = readNotice(payload)
      if (notice?.try !== id) return
      if (notice.answer) answers.set(notice.answer.region, notice.answer)
      if (!notice.asked.every(region => answers.has(region))) return
      end()
      resolve([...answers.values()])
    })
    const timer = setTimeout(() => {
      end()
      resolve([...answers.values()])
    }, patience)
    platform.query(`select pg_notify($1, $2)`, [tryNotice, closeTry(config, id, definition)]).catch(error => {
      end()
      reject(error)
    })
  })
}

function readNotice(payload: string): TryAnswer | undefined {
  try {
    return TryAnswer.safeParse(JSON.parse(payload)).data
  } catch {
    return undefined
  }
}
